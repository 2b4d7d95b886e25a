import { randomUUID } from 'node:crypto';
import type { SignedRetry } from '../../client/signed-retry.ts';
import type { SignedRetryOptions } from '../../suite/api/wallet/signer.ts';
import {
  expect,
  sessionSigned,
  signedOperation,
  succeeded,
  test,
  verifies,
  type Answer,
  type Wallet,
} from '../../suite/index.ts';
import { changes, GENERAL, INVALID, mistake } from '../support/credentials.ts';
import { invalidStamps } from '../support/tampered-stamps.ts';

const ALTERED = invalidStamps.filter(({ part }) => part === 'payload');
const ZEROS = invalidStamps.filter(({ name }) => name === 'signature-zero');
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');

test('what a failed retry leaves behind, which of two mistakes is named first, and how long a retry is open', async ({
  given,
  need,
  observe,
}) => {
  const { wallet } = await given.signedIn();
  const prepared = await wallet.prepare(ADDING);
  const request = need.that(prepared.request, 'there is no request to send');
  const unsigned = { label: 'with Request-Id and no signature', tamper: { stamp: null } };
  const failed = await wallet.signedRetry(prepared, unsigned);
  const right = await wallet.retry(request, failed.challenge, prepared.key);
  const isOpen = right.exchange.response?.status === 201;
  const left = isOpen ? 'its requestId still serves' : 'its requestId is used up';
  observe('retry-failed-attempt', left, failed.answer, right);
  const both = await wallet.signedRetry(ADDING, {
    label: 'with a malformed signature and an unknown Request-Id',
    tamper: { stamp: () => '%%%', requestId: `Request:${randomUUID()}` },
  });
  observe('stamp-both-mistakes', both.answer);
  const { first } = both;
  const seconds = (Date.parse(String(first.body?.expiresAt)) - wallet.clock.now().getTime()) / 1_000;
  observe('retry-window', `${Math.round(seconds)} s`, first);
});

test('a signature of zeros does not verify', verifies('STAMP-INVALID'), async ({ given, check }) => {
  const { wallet } = await given.signedIn();
  for (const { answer } of await wallet.mistakenRetries(ADDING, ZEROS.map(mistake)))
    await check('STAMP-INVALID', () =>
      expect(answer).toBeUnauthorized(INVALID, GENERAL, 'WALLET_SIGNATURE_MALFORMED'),
    );
});

test(
  'a stamp over the payload of another request is refused',
  verifies('STAMP-ALTERED-BYTES-REFUSED'),
  async ({ given, need, check }) => {
    const { wallet } = await given.signedIn();
    const other = await wallet.signedRetry(ADDING, { times: 0, label: 'begun and not signed' });
    const { payloadToSign } = other.challenge;
    const label = 'with a stamp over the payload of another request';
    const isWrong = (challenge: typeof other.challenge) => challenge.payloadToSign !== payloadToSign;
    const mistake = { label, tamper: { payload: () => payloadToSign }, isWrong };
    const [made] = await wallet.mistakenRetries(ADDING, [mistake]);
    const { answer } = need.that(made, 'both requests have one payload');
    await check('STAMP-ALTERED-BYTES-REFUSED', () => expect(answer).toHaveHttpStatus(401));
  },
);

test(
  'a stamp of the exact bytes is accepted',
  verifies('STAMP-EXACT-BYTES-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    // A passkey signs in without a stamp, so that this one is the first.
    const { wallet, session } = await given.signedIn('PASSKEY');
    const exact = await wallet.tryKey(session, { label: 'a stamp of the exact bytes' });
    const { payloadToSign } = need.challenged(exact);
    // How a stamp is built is not shown: only a target that takes it over other bytes has shown that it reads it.
    const taken: Answer[] = [];
    for (const row of succeeded(exact.answer) ? [] : ALTERED) {
      if (!changes(row, payloadToSign, wallet)) continue;
      const altered = await wallet.tryKey(session, { ...mistake(row), label: `a stamp that ${row.says}` });
      if (succeeded(altered.answer)) taken.push(altered.answer);
    }
    need.that(
      succeeded(exact.answer) || taken.length > 0,
      `no stamp of any kind was accepted (${exact.answer.outcome}), so this target builds them in another way`,
    );
    await check('STAMP-EXACT-BYTES-ACCEPTED', () => expect(exact.answer).toBeAccepted(), {
      evidence: [exact.answer, ...taken],
      assumes: taken.length > 0 ? [] : ['stamp'],
    });
    const high = await wallet.tryKey(session, { sign: { s: 'high' }, label: 'a stamp with a high S' });
    observe('stamp-construction', { 'high S': high.answer.outcome }, high.answer);
  },
);

for (const operation of sessionSigned)
  test(
    `after ${operation.name} a wallet request still waits for a signature, and not for one of any key`,
    verifies('STAMP-UNKNOWN-KEY'),
    async ({ given, need, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      await wallet.needComplete(operation);
      const label = `a wallet request signed by a key of nobody, after ${operation.name}`;
      const unknown = await wallet.tryAny(wallet.newKey(), { label });
      need.offered(unknown.challenge, 'nothing to sign came for it');
      if (unknown.answer.refused) {
        const signed = async () => {
          const by = { label: 'the same, signed by a session' };
          return succeeded((await wallet.tryAny(wallet.signer.session, by)).answer);
        };
        const lasts = await signed();
        // Whether the other sessions last is not shown.
        if (!lasts) await wallet.signInAgain();
        need.offered(lasts || (await signed()), 'no session signs there any more');
      }
      await check('STAMP-UNKNOWN-KEY', () => expect(unknown.answer).toBeRefused(401, 403));
    },
  );

/** What is wrong with a stamp, whichever credential it is about. */
const WRONG: readonly (readonly [
  rule: string,
  says: string,
  tamper: (wallet: Wallet) => NonNullable<SignedRetryOptions['tamper']>,
])[] = [
  ['STAMP-UNKNOWN-KEY', 'signed by a key of nobody', (wallet) => ({ key: wallet.newKey() })],
  ['STAMP-ALTERED-BYTES-REFUSED', 'signed over something else', () => ({ payload: () => 'something else' })],
];

for (const type of ['EMAIL_OTP', 'SMS_OTP', 'OAUTH'] as const)
  test(
    `${type} is neither added nor revoked with the signature of a key of nobody, or over something else`,
    verifies(...WRONG.map(([rule]) => rule)),
    async ({ given, need, check }) => {
      given.needProve(type);
      const { wallet, session } = await given.signedInBeside(type);
      const refused = async (
        what: string,
        send: (options: SignedRetryOptions) => Promise<SignedRetry<Answer>>,
        right: () => Promise<unknown>,
      ) => {
        const tries: (readonly [rule: string, answer: Answer])[] = [];
        for (const [rule, says, tamper] of WRONG) {
          const tried = await send({ label: `${what}, ${says}`, tamper: tamper(wallet) });
          need.offered(tried.challenge, `nothing to sign came for ${what} (${tried.first.outcome})`);
          tries.push([rule, tried.answer]);
          if (succeeded(tried.answer)) break;
        }
        const isTaken = tries.some(([, answer]) => succeeded(answer));
        // The control: rightly signed it is done.
        if (!isTaken) await right();
        for (const [rule, answer] of tries)
          await check(rule, () => expect(answer).toBeRefused(401, 403), [answer]);
        return !isTaken;
      };
      let id = '';
      const isAdded = await refused(
        `registering ${type}`,
        (options) => wallet.register(type, session, options),
        async () => {
          const { credential, answer } = await wallet.register(type, session);
          ({ id } = need.offered(credential, `this target registers no ${type} (${answer.outcome})`));
        },
      );
      if (isAdded)
        await refused(
          `revoking ${type}`,
          (options) => wallet.revoke(id, session, options),
          () => wallet.needRevoke(id, session),
        );
    },
  );
