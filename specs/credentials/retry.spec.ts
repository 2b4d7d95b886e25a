import { isDeepStrictEqual } from 'node:util';
import { fromBase64Url } from '../../client/crypto/bytes.ts';
import { sealOtpBundle, type SoftwarePasskey } from '../../client/crypto/index.ts';
import type { RetryChallenge } from '../../client/signed-retry.ts';
import {
  expect,
  newEmail,
  signedCases,
  signedOperation,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type Mistake,
  type PreparedRequest,
  type SignedOperation,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';
import { ENDS_ITS_OBJECT, GENERAL } from '../support/credentials.ts';

// ------------------------------------------------------------------------------------------- a requestId serves once

/** Retries that are sent at the same moment. */
const AT_ONCE = 4;
/** Races that are run: one alone may be won by chance. Each login costs a challenge, of which there may be few. */
const RACES = 2;
/** What a request gets whose object is gone, beside 404. */
const OF_WHAT_HAS_ENDED = new Set([400, 403, 409, 410]);

for (const { operation, name, signsInWith } of signedCases)
  test(
    `${name}: a requestId serves once`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE'),
    async ({ given, check, need, observe }) => {
      const { rule, undo } = operation;
      const { wallet } = await given.signedIn(signsInWith);
      const prepared = await wallet.prepare(operation);
      const again = undo ? await usedOnceUndone(wallet, prepared, undo) : await usedAgain(wallet, prepared);
      for (const reused of again) {
        // What the first retry ended may be what the second is refused for: which status that has is not shown.
        const status = reused.exchange.response?.status ?? 0;
        need.offered(
          status !== 404 && !(ENDS_ITS_OBJECT.has(rule) && OF_WHAT_HAS_ENDED.has(status)),
          'what the retry ended is not there any more, so its requestId is not looked at',
        );
        if (succeeded(reused) && !undo) await needStillAsk(wallet, prepared);
        await check('RETRY-REQUEST-ID-SINGLE-USE', () => expect(reused).toHaveHttpStatus(401));
        observe('retry-reuse-code', reused);
      }
    },
  );

for (const operation of signedOperations) {
  const { name, signsInWith } = operation;
  test(
    `${name}: of ${AT_ONCE} retries at once one at most succeeds`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT'),
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn(signsInWith);
      for (let race = 0; race < RACES; race += 1) {
        const label = `sent ${AT_ONCE} times at once`;
        const request = await wallet.prepare(operation);
        // What the first call does, it does each time.
        const readBack = race === 0 ? request.readBack : undefined;
        const before = await readBack?.();
        let between = before;
        const { retries } = await wallet.signedRetry(request, {
          ...{ label, times: AT_ONCE, atOnce: true },
          between: async () => void (before?.value !== undefined && (between = await readBack?.())),
        });
        need.that(
          isDeepStrictEqual(between?.value, before?.value),
          'the first call has done it already, so the retries had nothing left to do',
        );
        for (const { cameFromBetween, label, outcome } of retries)
          need.that(!cameFromBetween, `"${label}" was answered ${outcome}: how many succeeded is not known`);
        // A look in between begins a request of its own, which may end the one before it.
        if (readBack && !retries.some(succeeded)) continue;
        // Each may have stood in the way of the others.
        need.that(retries.some(succeeded), 'none of the retries at once went through');
        if (retries.filter(succeeded).length > 1) await needStillAsk(wallet, request);
        const kept = await check('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', () => {
          const statuses = retries.map(({ status }) => status);
          const successes = statuses.filter((status) => status < 300);
          expect(successes, `successes among ${statuses.join(', ')}`).toHaveLength(1);
        });
        if (!kept) return;
      }
    },
  );
}

/** All but the first of the same retries. */
async function usedAgain(wallet: Wallet, request: PreparedRequest): Promise<readonly Answer[]> {
  const { need } = wallet;
  const { answer, retries } = await wallet.signedRetry(request, { label: 'sent three times', times: 3 });
  need(answer).accepted();
  need.that(retries.length > 1, 'the second retry was not sent');
  return retries.slice(1);
}

/** What changes nothing any more may need no signature, and then nobody looks at its requestId. */
async function needStillAsk({ need }: Wallet, request: PreparedRequest): Promise<void> {
  const { first, challenge } = await request.signed({ label: 'once more', times: 0 });
  need.offered(challenge || !succeeded(first), 'what has been done already needs no signature here');
}

/** What the first retry did is undone before the second, which has something to do again then. */
async function usedOnceUndone(
  wallet: Wallet,
  prepared: PreparedRequest,
  undo: NonNullable<SignedOperation['undo']>,
): Promise<Answer[]> {
  const { need } = wallet;
  const request = need.that(prepared.request, 'there is no request to send');
  const { answer, challenge } = need.completed(await wallet.signedRetry(prepared, { label: 'sent once' }));
  await undo(wallet, answer);
  const again: Answer[] = [];
  for (const turn of ['again', 'a third time']) {
    const label = `${prepared.name}, sent ${turn} once the first is undone`;
    const reused = await wallet.retry({ ...request, label }, challenge, prepared.key);
    again.push(reused);
    if (reused.status !== 401) break;
  }
  const reused = again.at(-1);
  // Whether a passkey that was removed can come back is not shown.
  if (reused?.refused && reused.status !== 401) {
    const { first, answer } = await prepared.signed({ label: 'begun anew' });
    const isRefused = first.refused || answer.refused;
    need.offered(!isRefused, 'what was undone cannot be done again, so its requestId is not looked at');
  }
  return again;
}

// -------------------------------------------------------------------------------- ... and only what it was issued for

/** Two requests of different operations on one account; where both have a body it is the same one. */
const PAIRS: readonly { issued: string; used: string }[] = [
  { issued: 'RETRY-CREDENTIAL-CREATE', used: 'RETRY-CREDENTIAL-REVOKE' },
  { issued: 'RETRY-CREDENTIAL-REVOKE', used: 'RETRY-CREDENTIAL-CREATE' },
  { issued: 'RETRY-CREDENTIAL-REVOKE', used: 'RETRY-CREDENTIAL-REVOKE' },
  { issued: 'RETRY-OTP-VERIFY', used: 'RETRY-CREDENTIAL-REVOKE' },
  { issued: 'RETRY-SESSION-REVOKE', used: 'RETRY-CREDENTIAL-REVOKE' },
  { issued: 'RETRY-CREDENTIAL-REVOKE', used: 'RETRY-SESSION-REVOKE' },
  { issued: 'RETRY-SESSION-REVOKE', used: 'RETRY-SESSION-REVOKE' },
  { issued: 'RETRY-WALLET-EXPORT', used: 'RETRY-SESSION-REFRESH' },
  { issued: 'RETRY-SESSION-REFRESH', used: 'RETRY-WALLET-EXPORT' },
  { issued: 'RETRY-WALLET-PRIVACY', used: 'RETRY-CUSTOMER-EMAIL' },
  { issued: 'RETRY-CUSTOMER-EMAIL', used: 'RETRY-WALLET-PRIVACY' },
];

const MISMATCH = 'WALLET_SIGNATURE_BODY_MISMATCH';

interface OtherBody {
  /** Of the operation. */
  readonly rule: string;
  /** Follows "a retry". */
  readonly label: string;
  readonly needsPasskey?: true;
  /** A body that is as good in itself as that of the first call. */
  readonly other: (wallet: Wallet, first: Readonly<Record<string, unknown>>) => unknown;
}

const otherClientKey = (wallet: Wallet) => ({ clientPublicKey: wallet.newKey().uncompressed });

/** Of another passkey over the same challenge. */
function attestationOver(challenge: unknown, wallet: Wallet): unknown {
  const register = (passkey: SoftwarePasskey) => passkey.register(fromBase64Url(String(challenge)));
  return (wallet.draftPasskey({ register }).body as { readonly attestation?: unknown }).attestation;
}

const OTHER_BODIES: readonly OtherBody[] = [
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    label: 'with another credential in the body',
    needsPasskey: true,
    other: (wallet) => wallet.draftPasskey().body,
  },
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    label: 'with the attestation of another credential in the body',
    needsPasskey: true,
    other: (wallet, first) => ({ ...first, attestation: attestationOver(first['challenge'], wallet) }),
  },
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    label: 'with another nickname in the body',
    needsPasskey: true,
    other: (_, first) => ({ ...first, nickname: 'Another nickname' }),
  },
  { rule: 'RETRY-SESSION-REFRESH', label: 'with another client key', other: otherClientKey },
  { rule: 'RETRY-WALLET-EXPORT', label: 'with another client key', other: otherClientKey },
  {
    rule: 'RETRY-WALLET-PRIVACY',
    label: 'with the opposite setting',
    other: (_, { privateEnabled }) => ({ privateEnabled: privateEnabled !== true }),
  },
  {
    rule: 'RETRY-CUSTOMER-EMAIL',
    label: 'with another e-mail',
    other: (_, first) => ({ ...first, email: newEmail() }),
  },
];

for (const { issued, used } of PAIRS) {
  const [from, to] = [signedOperation(issued), signedOperation(used)];
  const isSame = issued === used;
  const title = isSame
    ? `${from.name}: a requestId does not serve for another one`
    : `a requestId of ${from.name} does not serve for ${to.name}`;
  test(title, verifies('RETRY-BOUND-TO-OPERATION'), async ({ given, check, need, observe }) => {
    const { wallet } = await given.signedIn(from.signsInWith ?? to.signsInWith);
    const [first, second] = [await wallet.prepare(from), await wallet.prepare(to)];
    const { challenge } = await wallet.signedRetry(first, { times: 0 });
    const request = need.that(second.request, 'there is no request to send');
    // Where both have a body of the same form it is that of the first, so that not the body is what is refused.
    const body = haveSameForm(first.request?.body, request.body) ? first.request?.body : request.body;
    const misused = await wallet.retry(
      {
        ...request,
        ...(body === undefined ? {} : { body }),
        label: `${to.name}, with the requestId of ${isSame ? 'another one' : from.name}`,
      },
      challenge,
      // The key of a login that is not completed signs for nothing else, so it would be refused for itself.
      issued === 'RETRY-OTP-VERIFY' ? second.key : first.key,
    );
    const controls = [
      () => needComplete(wallet, from, first.request && { ...first, challenge }),
      async () => need.completed(await wallet.signedRetry(second, { label: 'with nothing wrong' })),
    ];
    // The update of an e-mail may end the session.
    if (issued === 'RETRY-CUSTOMER-EMAIL') controls.reverse();
    // What was accepted needs no more than that a signature is asked for there.
    if (succeeded(misused)) await wallet.signedRetry(to, { times: 0 });
    else for (const control of controls) await control();
    await check('RETRY-BOUND-TO-OPERATION', () => expect(misused).toBeRefused());
    observe('retry-foreign-request-id-answer', misused);
  });
}

for (const operation of signedOperations)
  test(
    `${operation.name}: a requestId of one account does not serve on another`,
    verifies('RETRY-BOUND-TO-ACCOUNT'),
    async ({ given, check, observe }) => {
      const { wallet: one } = await given.signedIn(operation.signsInWith);
      const { wallet: two } = await given.signedIn(operation.signsInWith);
      const tried = async (...signers: readonly ('this' | 'the other')[]) => {
        const issuedFor = await one.prepare(operation);
        const { challenge } = await one.signedRetry(issuedFor, { times: 0 });
        // The body is that of the first call in all but the account, so that not the body is what is refused.
        const body = issuedFor.request?.body as Readonly<Record<string, unknown>> | undefined;
        const own = body?.['accountId'] === undefined ? {} : { accountId: two.accountId };
        const tamper = {
          requestId: challenge.requestId,
          payload: () => challenge.payloadToSign,
          request: (asked: WalletRequest) =>
            haveSameForm(body, asked.body) ? { ...asked, body: { ...body, ...own } } : asked,
        };
        const foreign: readonly Mistake[] = signers.map((signer) => ({
          label: `with a requestId of another account, signed by ${signer} account`,
          tamper: signer === 'this' ? tamper : { ...tamper, key: issuedFor.key },
        }));
        const answers = await two.mistakenRetries(operation, foreign);
        const isOpen = await needComplete(one, operation, issuedFor.request && { ...issuedFor, challenge });
        return { answers, isOpen };
      };
      const isLogin = operation.rule === 'RETRY-OTP-VERIFY';
      const { answers, isOpen } = await tried('this', ...(isLogin ? [] : (['the other'] as const)));
      // Where a wrong retry uses a requestId up, the next one needs one of its own.
      if (!isOpen && !isLogin) answers.push(...(await tried('the other')).answers);
      for (const { answer } of answers) {
        await check('RETRY-BOUND-TO-ACCOUNT', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );

/** The control: what was begun is completed, or where it was used up, a fresh request of the operation. @returns which */
async function needComplete(
  wallet: Wallet,
  operation: SignedOperation,
  begun: (PreparedRequest & { readonly challenge: RetryChallenge }) | undefined,
): Promise<boolean> {
  const { request, challenge, key } = begun ?? {};
  const answer = request && challenge && key && (await wallet.retry(request, challenge, key));
  const isOpen = answer !== undefined && succeeded(answer);
  if (!isOpen) await wallet.needComplete(operation);
  return isOpen;
}

for (const rule of new Set(OTHER_BODIES.map((row) => row.rule))) {
  const operation = signedOperation(rule);
  const others = OTHER_BODIES.filter((row) => row.rule === rule);
  test(
    `${operation.name}: a retry ${others.map(({ label }) => label).join(', or ')} than in the first call is refused`,
    verifies('RETRY-SAME-BODY'),
    async ({ given, check }) => {
      if (others.some(({ needsPasskey }) => needsPasskey)) given.needProve('PASSKEY');
      const { wallet } = await given.signedIn(operation.signsInWith);
      const wrong = others.map(({ label, other }) => {
        const request = (first: WalletRequest) => ({
          ...first,
          body: other(wallet, first.body as Record<string, unknown>),
        });
        return { label, tamper: { request } };
      });
      const made = await wallet.mistakenRetries(operation, wrong, (before, after) =>
        check('RETRY-SAME-BODY', () => expect(after.value, 'after the refusal').toEqual(before.value), [
          after.answer,
        ]),
      );
      for (const { answer } of made)
        await check('RETRY-SAME-BODY', () => expect(answer).toBeUnauthorized(MISMATCH, GENERAL));
    },
  );
}

test(
  'registering OAUTH: a retry with the token of another identity is refused',
  verifies('RETRY-SAME-BODY'),
  async ({ given, check, need }) => {
    given.needProve('OAUTH');
    const { wallet, session } = await given.signedInBeside('OAUTH');
    const { body } = await wallet.draftOauth();
    const changed = await wallet.register('OAUTH', session, {
      label: 'registering OAUTH, with the token of another identity',
      tamper: { request: (first) => ({ ...first, body }) },
    });
    need.challenged(changed);
    need((await wallet.register('OAUTH', session)).answer).accepted();
    await check('RETRY-SAME-BODY', () => expect(changed.answer).toBeUnauthorized(MISMATCH, GENERAL));
  },
);

for (const { name, signsInWith } of signedCases.filter(({ rule }) => rule === 'RETRY-OTP-VERIFY'))
  test(
    `${name}: a retry with another bundle is refused`,
    verifies('RETRY-SAME-BODY'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.signedIn(signsInWith);
      await wallet.needLogin(credential);
      let other = '';
      const changed = await wallet.attempt(credential, {
        label: 'verifying, with another bundle on the retry',
        // The same code and the same key, sealed twice: each body is as good as the other.
        seal: async (...sealed) => {
          other = await sealOtpBundle(...sealed);
          return sealOtpBundle(...sealed);
        },
        retry: {
          tamper: {
            request: (first) => ({ ...first, body: { ...Object(first.body), encryptedOtpBundle: other } }),
          },
        },
      });
      need.that(changed.retries.length > 0, 'there was no signed retry');
      await wallet.needComplete(signedOperation('RETRY-OTP-VERIFY'));
      await check('RETRY-SAME-BODY', () => expect(changed.answer).toBeUnauthorized(MISMATCH, GENERAL));
    },
  );

function haveSameForm(one: unknown, other: unknown): boolean {
  const keys = (body: unknown) =>
    typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : undefined;
  return keys(one) !== undefined && keys(one) === keys(other);
}
