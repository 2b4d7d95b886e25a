import { shapeRules } from '../../schemas/openapi.ts';
import {
  entriesOf,
  expect,
  idsOf,
  inTime,
  lower,
  ownIds,
  registering,
  succeeded,
  test,
  verifies,
  type Answer,
  type Check,
  type CredentialType,
  type Wallet,
} from '../../suite/index.ts';
import { expectEcho, listWith, listedInTime, needWasEmpty } from '../support/credentials.ts';

const TYPES: readonly CredentialType[] = ['OAUTH', 'PASSKEY', 'EMAIL_OTP', 'SMS_OTP'];
const CREATE_RULE = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  PASSKEY: 'CREDENTIAL-CREATE-PASSKEY',
  EMAIL_OTP: 'CREDENTIAL-CREATE-EMAIL-OTP',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;

const FURTHER = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const satisfies readonly CredentialType[];

for (const type of TYPES)
  test(
    `${type} as an account's first credential is registered at once`,
    verifies(
      'CREDENTIAL-FIRST-CREATED',
      CREATE_RULE[type],
      'CREDENTIAL-CREATE-ECHO',
      'CREDENTIAL-CREATE-LISTED',
      'CREDENTIAL-CREATE-STATUS',
    ),
    async ({ given, check, need }) => {
      const wallet = await given.wallet();
      given.needProve(type);
      const { answer } = await wallet.register(type);
      needWasEmpty(wallet, answer);
      await check(CREATE_RULE[type], () => expect(answer).toBeAccepted(), { assumes: registering[type] });
      need(answer).accepted();
      // Which success status it is instead is the concern of CREDENTIAL-CREATE-STATUS.
      await check('CREDENTIAL-FIRST-CREATED', () =>
        expect(answer.status, 'a signed retry is asked for').not.toBe(202),
      );
      need.that(answer.status !== 202, 'nothing was registered, so there is nothing to compare');
      await isEchoedAndListed(wallet, type, answer, check);
    },
  );

for (const type of FURTHER)
  test(
    `${type} beside an EMAIL_OTP credential is registered by the signed retry, not before, as it was asked for`,
    verifies(
      'RETRY-CREDENTIAL-CREATE',
      'RETRY-FIRST-CALL-CHANGES-NOTHING',
      'RETRY-TYPE',
      'CREDENTIAL-CREATE-ECHO',
      'CREDENTIAL-CREATE-LISTED',
      'CREDENTIAL-CREATE-STATUS',
    ),
    async ({ given, check, need }) => {
      given.needProve(type);
      const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
      const before = await listWith(wallet, credential.id);
      const label = 'listing between the first call and the signed retry';
      let between = before;
      const registration = await wallet.register(type, session, {
        between: async () => void (between = await wallet.list({ label })),
      });
      const { first } = registration;
      need(first).accepted();
      await check('RETRY-CREDENTIAL-CREATE', () => expect(first).toHaveHttpStatus(202));
      need.challenged(registration);
      // "credential type" may be read as that of the new credential, or of one that may sign.
      await check('RETRY-TYPE', () => expect(first.body.type).toBeOneOf([type, credential.type]));
      if (succeeded(between))
        await check(
          'RETRY-FIRST-CALL-CHANGES-NOTHING',
          () => expect(ownIds(between, wallet)).toEqual(ownIds(before, wallet)),
          [first, between],
        );
      const { answer } = need.completed(registration);
      await isEchoedAndListed(wallet, type, answer, check);
    },
  );

test(
  'each type is registered beside EMAIL_OTP by the signed retry',
  verifies(
    'CREDENTIAL-FURTHER-CREATED',
    'CREDENTIAL-TYPES-TOGETHER',
    ...FURTHER.map((type) => CREATE_RULE[type]),
  ),
  async ({ given, check, need }) => {
    for (const type of FURTHER) given.needProve(type);
    const attempts: { type: (typeof FURTHER)[number]; answer: Answer }[] = [];
    for (const type of FURTHER) {
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      attempts.push({ type, answer: (await wallet.register(type, session)).answer });
    }
    const accepted = attempts.filter(({ answer }) => answer.exchange.response && answer.accepted);
    if (accepted.length === 0) {
      // Where a session of another credential registers, it is the session that does not sign.
      const { wallet, session } = await given.signedIn('OAUTH');
      const { credential } = await wallet.tryKey(session);
      need.that(!credential, 'a session of EMAIL_OTP registers nothing, and one of OAUTH does');
    }
    await check(
      'CREDENTIAL-FURTHER-CREATED',
      () => {
        // One type alone that is refused is that type's own fault.
        for (const { answer } of accepted.length > 0 ? accepted : attempts) {
          expect(answer).toBeAccepted();
          expect(answer.status, 'the signed retry asks for a signature again').not.toBe(202);
        }
      },
      { assumes: ['stamp', ...(accepted.length > 0 ? [] : FURTHER.flatMap((type) => registering[type]))] },
    );
    if (accepted.length === 0) return;
    for (const { type, answer } of accepted)
      await check(CREATE_RULE[type], () => expect(answer).toBeAccepted(), { assumes: registering[type] });
    for (const { type, answer } of attempts.filter((one) => !accepted.includes(one))) {
      // Refused: the type itself, or its company? An account without any tells.
      const empty = await given.emptyWallet();
      const alone =
        empty && (await empty.register(type, undefined, { label: `registering ${type} alone` })).answer;
      if (alone?.exchange.response && alone.accepted)
        await check('CREDENTIAL-TYPES-TOGETHER', () => expect(answer).toBeAccepted());
      else
        await check(CREATE_RULE[type], () => expect(alone ?? answer).toBeAccepted(), {
          assumes: registering[type],
        });
      need.offered(empty, 'no account is empty, so that what is refused may be refused for its company');
    }
    for (const { answer } of accepted)
      await check('CREDENTIAL-TYPES-TOGETHER', () => expect(answer).toBeAccepted());
  },
);

test(
  'credentials of all four types stand side by side on one account',
  verifies(
    'CREDENTIAL-TYPES-TOGETHER',
    'CREDENTIAL-LIST-COMPLETE',
    ...shapeRules('AuthMethod'),
    ...shapeRules('CredentialList'),
  ),
  async ({ given, check, need }) => {
    for (const type of FURTHER) given.needProve(type);
    const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
    const ids = [credential.id];
    const types = new Map<string, string>([[lower(credential.id), 'EMAIL_OTP']]);
    for (const type of ['SMS_OTP', 'OAUTH', 'PASSKEY'] as const) {
      const control = await given.signedIn('EMAIL_OTP');
      await control.wallet.needRegister(type, control.session, `registering ${type} beside EMAIL_OTP alone`);
      const registration = await wallet.register(type, session);
      await check('CREDENTIAL-TYPES-TOGETHER', () => expect(registration.answer).toBeAccepted());
      const { id } = need.registered(registration);
      ids.push(id);
      types.set(lower(id), type);
    }
    const list = await listWith(wallet, ...ids);
    await check(
      'CREDENTIAL-LIST-COMPLETE',
      () => expect(ownIds(list, wallet), 'credentials of the account').toEqual(ids.map(lower).sort()),
      listedInTime(list, ids),
    );
    // A word that is no type is the concern of CREDENTIAL-TYPE.
    const named = entriesOf(list).filter(
      ({ id, type }) => types.has(lower(id)) && TYPES.includes(type as CredentialType),
    );
    if (named.length === 0) return;
    await check('CREDENTIAL-LIST-COMPLETE', () => {
      for (const { id, type } of named)
        expect(type, `the type of ${String(id)} in the list`).toBe(types.get(lower(id)));
    });
  },
);

async function isEchoedAndListed(
  wallet: Wallet,
  type: CredentialType,
  { body }: Answer,
  check: Check,
): Promise<void> {
  await check('CREDENTIAL-CREATE-ECHO', () => expectEcho(wallet, type, body));
  const list = await listWith(wallet, body.id);
  await check('CREDENTIAL-CREATE-LISTED', () => expect(idsOf(list)).toContain(lower(body.id)), inTime());
}
