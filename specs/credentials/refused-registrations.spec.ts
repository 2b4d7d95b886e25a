import fc from 'fast-check';
import { wrongRecordIds } from '../../generators/ids.ts';
import { oneMistakes, type Body } from '../../generators/mistakes.ts';
import { nearMisses } from '../../generators/texts.ts';
import { enumOf } from '../../schemas/openapi.ts';
import {
  credentialRequests,
  entriesOf,
  expect,
  explore,
  lower,
  ownIds,
  registering,
  succeeded,
  test,
  verifies,
  type Answer,
  type CredentialType,
  type Draft,
  type Wallet,
} from '../../suite/index.ts';
import { unpadded } from '../../suite/same-id.ts';
import { listWith } from '../support/credentials.ts';
import { notAccepted } from '../support/refusals.ts';
import { unreadableTokens } from '../support/tampered-logins.ts';
import { tamperedRegistrations } from '../support/tampered-passkeys.ts';

// --------------------------------------------------------------------------------- one thing wrong, its twin accepted

/** One thing that is wrong in a registration; the twin without it is registered first. */
interface Wrong {
  readonly rule: string;
  readonly type: CredentialType;
  /** Follows "registration is refused". */
  readonly says: string;
  readonly draft: (wallet: Wallet) => Promise<Draft> | Draft;
}

/** Seconds since a token was issued: well beyond the limit with its clock skew, by minutes, by most of a token's life. */
const TOO_OLD_SECONDS = [70, 600, 3_000];

const WRONG: readonly Wrong[] = [
  ...TOO_OLD_SECONDS.map((seconds): Wrong => ({
    rule: 'OIDC-CREATE-TOO-OLD',
    type: 'OAUTH',
    says: `with a token of ${seconds} s ago`,
    draft: (wallet) =>
      wallet.draftOauth({
        claims: { iat: Math.floor(wallet.clock.earliestNow().getTime() / 1_000) - seconds },
      }),
  })),
  ...unreadableTokens.map((row): Wrong => ({
    rule: 'OIDC-MALFORMED',
    type: 'OAUTH',
    says: `with a token that ${row.says}`,
    draft: (wallet) => wallet.draftOauth({ token: (good) => row.make(good) }),
  })),
  ...tamperedRegistrations.map((row): Wrong => ({
    rule: row.rule,
    type: 'PASSKEY',
    says: `with a passkey whose registration ${row.says}`,
    draft: (wallet) => wallet.draftPasskey({ register: row.make.bind(row) }),
  })),
];

for (const rule of new Set(WRONG.map((row) => row.rule))) {
  const rows = WRONG.filter((row) => row.rule === rule);
  const [{ type }] = rows as [Wrong];
  test(
    `${type}: registration is refused ${rows.map(({ says }) => says).join(', ')}`,
    verifies(rule),
    async ({ given, check }) => {
      given.needProve(type);
      const { wallet, session } = await given.signedInBeside(type);
      const answers: Answer[] = [];
      const drafts = await Promise.all(
        rows.map(async ({ says, draft }) => ({ says, draft: await draft(wallet) })),
      );
      const [first] = drafts as [(typeof drafts)[number]];
      for (const { says, draft } of [...drafts, { ...first, says: `${first.says}, once more` }])
        answers.push((await wallet.register(draft, session, { label: `registering ${says}` })).answer);
      // Where a wrong one went through, an account that may hold one alone takes no other.
      if (!answers.some(succeeded))
        await wallet.needRegister(type, session, `a good registration of ${type}`);
      for (const answer of answers) await check(rule, () => expect(answer).toBeRefused());
    },
  );
}

// -------------------------------------------------------------------------------------------------- a second time

const SECOND_CODES = [
  ['EMAIL_OTP', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'],
  ['SMS_OTP', 'CREDENTIAL-SMS-OTP-DUPLICATE', 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS'],
] as const;

for (const [type, rule, code] of SECOND_CODES)
  test(
    `a second ${type} credential on an account is refused`,
    verifies(rule),
    async ({ given, check, observe }) => {
      const { wallet, credential, session } = await given.signedIn(type);
      await wallet.addCredential('registering another credential with the same session');
      const { answer, retries } = await wallet.register(type, session);
      // Refused otherwise it may be for a field that the body wants; accepted it is a second credential in any case.
      const isRefused = (answer.exchange.response?.status ?? 0) >= 400;
      await check(rule, () => isDuplicate(answer, code), { assumes: isRefused ? registering[type] : [] });
      if (isRefused) {
        const again = await wallet.register(type, session, {
          label: `registering a second ${type} once more`,
        });
        await check(rule, () => isDuplicate(again.answer, code), { assumes: registering[type] });
        const list = await listWith(wallet, credential.id);
        const listed = () => countIn(list, (one) => one.type === type);
        await check(rule, () => expect(listed(), 'of its type in the list').toBeLessThan(2), [list]);
      }
      observe('duplicate-refused-at', retries.length > 0 ? 'the signed retry' : 'the first call', answer);
    },
  );

test(
  'the same passkey a second time on one account is refused',
  verifies('CREDENTIAL-PASSKEY-DUPLICATE'),
  async ({ given, check, observe }) => {
    const { wallet, session } = await given.signedIn();
    const { id, passkey } = await wallet.needRegister('PASSKEY', session);
    await wallet.needRegister('PASSKEY', session, 'registering another passkey');
    const twice = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'registering the same passkey again',
    });
    const renamed = await wallet.register(
      wallet.draftPasskey({ passkey, nickname: 'Another nickname' }),
      session,
      { label: 'registering the same passkey under another nickname' },
    );
    await check('CREDENTIAL-PASSKEY-DUPLICATE', () => {
      for (const { answer } of [twice, renamed]) isDuplicate(answer, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS');
    });
    const list = await listWith(wallet, id);
    const same = () => countIn(list, (one) => unpadded(one.credentialId) === passkey.credentialId);
    await check(
      'CREDENTIAL-PASSKEY-DUPLICATE',
      () => expect(same(), 'of one credentialId in the list').toBeLessThan(2),
      [list],
    );
    const where = twice.retries.length > 0 ? 'the signed retry' : 'the first call';
    observe('duplicate-refused-at', where, twice.answer);
  },
);

/** How many credentials of a kind a list shows. One that it shows twice is the matter of another rule. */
function countIn(list: Answer, isOne: (entry: ReturnType<typeof entriesOf>[number]) => boolean): number {
  const found = entriesOf(list).filter(isOne);
  return new Set(found.map(({ id }) => lower(id))).size;
}

function isDuplicate(answer: Answer, code: string): void {
  expect(answer).toHaveHttpStatus(400);
  expect(answer).toHaveCode(code);
}

test(
  'of two registrations of one passkey, both begun before either is completed, one at most goes through',
  verifies('CREDENTIAL-PASSKEY-DUPLICATE'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const { passkey } = wallet.draftPasskey();
    const begun = [];
    for (const which of ['first', 'second']) {
      const label = `the ${which} registration of one passkey`;
      const request = { ...credentialRequests.register(wallet.draftPasskey({ passkey }).body), label };
      begun.push(await wallet.begun(request, session));
    }
    const answers: Answer[] = [];
    for (const complete of begun) answers.push(await complete());
    need.that(answers.some(succeeded), 'neither of the registrations went through');
    await check(
      'CREDENTIAL-PASSKEY-DUPLICATE',
      () => expect(answers.filter(succeeded).length, 'registrations of one passkey on one account').toBe(1),
      answers,
    );
  },
);

// --------------------------------------------------------------------------------------------------- any mistake

const BODIES = {
  OAUTH: 'CreateOauthCredential',
  PASSKEY: 'CreatePasskeyCredential',
  SMS_OTP: 'CreateOtpCredential',
} as const;

/** What the text leaves open: a nickname may be optional, and the browser tells the id within the attestation, too. */
const OPEN = /^(nickname|attestation\.credentialId)$/;

for (const type of ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const)
  test(
    `a registration of ${type} with one mistake registers nothing`,
    verifies('CREDENTIAL-CREATE-BODY'),
    async ({ given, need, check }) => {
      given.needProve(type);
      const control = await given.signedInBeside(type);
      await control.wallet.needRegister(type, control.session);
      const { wallet, session, credential } = await given.signedInBeside(type);
      const draft = await wallet.draft(type);
      const before = await listWith(wallet, credential.id);

      const wrong = (field: string, mistake: string) => ({
        ...{ field, mistake },
        body: { ...draft.body, [field]: mistake } as Body,
      });
      const inputs = fc.oneof(
        { weight: 3, arbitrary: oneMistakes(BODIES[type], draft.body, ({ field }) => !OPEN.test(field)) },
        nearMisses(enumOf('CredentialType')).map((value) => wrong('type', value)),
        // A service may read a bare uuid generously.
        wrongRecordIds(wallet.accountId)
          .filter(({ mistake }) => mistake !== 'no resource')
          .map(({ id }) => wrong('accountId', id)),
      );
      const refused = async (input: { field: string; mistake: string; body: Body }) => {
        const label = `registering ${type}, ${input.field}: ${input.mistake}`;
        const { first, answer, retries } = await wallet.register({ ...draft, body: input.body }, session, {
          label,
        });
        // A 202 that gives nothing to sign has registered nothing yet.
        fc.pre(retries.length > 0 || first.exchange.response?.status !== 202);
        notAccepted(answer);
      };
      const kept = await check('CREDENTIAL-CREATE-BODY', async () => {
        // A service that folds letters takes this one for what it would otherwise be.
        await explore(fc.constant(wrong('type', type.toLowerCase())), refused, { runs: 1 });
        await explore(inputs, refused);
      });
      if (!kept) return;
      const after = await wallet.list({ label: "listing the account's credentials after the mistakes" });
      need(after).accepted();
      await check('CREDENTIAL-CREATE-BODY', () =>
        expect(ownIds(after, wallet), 'credentials').toEqual(ownIds(before, wallet)),
      );
    },
  );
