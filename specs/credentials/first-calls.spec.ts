import { isDeepStrictEqual } from 'node:util';
import { shapeRules } from '../../schemas/openapi.ts';
import {
  isRefusedUnsigned,
  expect,
  newEmail,
  sessionSigned,
  signedOperation,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type Check,
  type CredentialType,
  type Given,
  type Need,
  type PreparedRequest,
  type ReadBack,
  type SignedOperation,
  type Wallet,
} from '../../suite/index.ts';
import { ENDS_ITS_OBJECT } from '../support/credentials.ts';

/** The 202 of operations whose path is shown, which are those on credentials. */
const OF_CREDENTIALS = 'CredentialSignedRetryChallenge';
const SECRETS = ['encryptedSessionSigningKey', 'encryptedWalletCredentials'];

for (const operation of signedOperations) {
  const { name, rule, assumes, signsInWith } = operation;
  // An export changes nothing in any case.
  const isHarmless = rule === 'RETRY-WALLET-EXPORT';
  test(
    `${name}: the first call answers 202 with something to sign and changes nothing, and so does the next one`,
    verifies(
      rule,
      'RETRY-REQUEST-ID-NEW',
      ...(isHarmless ? [] : ['RETRY-FIRST-CALL-CHANGES-NOTHING']),
      ...shapeRules(assumes.length > 0 ? 'SignedRetryChallenge' : OF_CREDENTIALS),
    ),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(signsInWith);
      const request = await wallet.prepare(operation);
      const { begun, before, isCarriedOut, changesNothing } = await begunAlone(request, check);
      const { first } = begun;
      // A revocation stands at a path that is given, and there is a credential that may be revoked: nothing speaks against it.
      if (rule !== 'RETRY-CREDENTIAL-REVOKE' && !isRefusedUnsigned(first)) need(first).accepted();
      // At a path that is a guess something else may have answered, which needs no signature: but what does as it is asked to.
      await check(
        rule,
        () => {
          expect(first).toHaveHttpStatus(202);
          for (const secret of SECRETS) expect(first.body).not.toHaveProperty(secret);
        },
        { assumes: isCarriedOut ? [] : assumes },
      );
      need.challenged(begun);
      await check('RETRY-EXPIRES-AT', () => expect(first).toExpireAfter(wallet.clock.earliestNow(first)));
      observe('retry-type-meaning', { [name]: first.body.type ?? 'absent' }, first);
      await changesNothing();
      const done = await request.signed({ label: 'completed' });
      need(done.answer).accepted();
      if (await wallet.lookedTooSoon(request, before))
        await (await begunAlone(await wallet.prepare(operation), check)).changesNothing();
      // The same request may get the same requestId, but not one that has served.
      if (request.request && done.challenge && !ENDS_ITS_OBJECT.has(rule)) {
        const again = await wallet.begin({ ...request.request, label: `${name}, once more` });
        if (again.challenge)
          await check(
            'RETRY-REQUEST-ID-NEW',
            () =>
              expect(again.challenge?.requestId.toLowerCase()).not.toBe(
                done.challenge?.requestId.toLowerCase(),
              ),
            [again.first],
          );
      }
      await asksForSignature(operation, await firstCall(wallet, operation), { check, need });
    },
  );
}

/** A first call without its retry, and the check that nothing changes by it. */
async function begunAlone(request: PreparedRequest, check: Check) {
  const before = await request.readBack?.();
  let between: ReadBack | undefined;
  const begun = await request.signed({
    times: 0,
    between: async () => void (between = await request.readBack?.()),
  });
  const after = begun.challenge || !succeeded(begun.first) ? undefined : await request.readBack?.(true);
  const isRead = before?.value !== undefined && after?.value !== undefined;
  const isChanged = isRead && !isDeepStrictEqual(after.value, before.value);
  const isCarriedOut = isChanged || SECRETS.some((name) => Object.hasOwn(Object(begun.first.body), name));
  const changesNothing = async () => {
    if (before?.value === undefined || between?.value === undefined) return;
    await check(
      'RETRY-FIRST-CALL-CHANGES-NOTHING',
      () => expect(between?.value, 'after the first call').toEqual(before.value),
      [begun.first, between.answer],
    );
  };
  return { begun, before, isCarriedOut, changesNothing };
}

test(
  'first calls of different operations get requestIds of their own',
  verifies('RETRY-REQUEST-ID-NEW'),
  async ({ given, check, need }) => {
    const begun = [];
    const { wallet } = await given.signedIn('EMAIL_OTP');
    for (const operation of signedOperations.slice(0, 3))
      begun.push(await (await wallet.prepare(operation)).signed({ times: 0 }));
    const challenged = begun.filter(({ challenge }) => challenge !== undefined);
    need.that(challenged.length > 1, 'fewer than two first calls gave a requestId');
    const ids = new Set(challenged.map(({ challenge }) => challenge?.requestId.toLowerCase()));
    await check(
      'RETRY-REQUEST-ID-NEW',
      () => expect(ids.size, 'different requestIds').toBe(challenged.length),
      challenged.map(({ first }) => first),
    );
  },
);

// ------------------------------------------------------------------------ calls without a signature in other situations

const TYPES = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const satisfies readonly CredentialType[];
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
const REVOKING = signedOperation('RETRY-CREDENTIAL-REVOKE');
const CHANGING_EMAIL = signedOperation('RETRY-CUSTOMER-EMAIL');

/** Calls without a signature, where one is needed; none of them changes anything. */
interface FirstCalls {
  readonly says: string;
  readonly of: readonly SignedOperation[];
  readonly make: (given: Given) => AsyncGenerator<readonly [SignedOperation, Answer]>;
}

const IN_ANY_SESSION = sessionSigned.filter(({ signsInWith }) => signsInWith === undefined);

const FIRST_CALLS: readonly FirstCalls[] = [
  ...TYPES.flatMap((type): FirstCalls[] => [
    {
      says: `in a session of ${type} every operation asks for a signature`,
      of: IN_ANY_SESSION,
      async *make(given) {
        const { wallet } = await given.signedIn(type);
        for (const operation of IN_ANY_SESSION) yield [operation, await firstCall(wallet, operation)];
      },
    },
    {
      says: `where ${type} stands beside EMAIL_OTP, revoking it and updating the e-mail ask for a signature`,
      of: [REVOKING, CHANGING_EMAIL],
      async *make(given) {
        given.needProve(type);
        const { wallet, session } = await given.signedIn('EMAIL_OTP');
        const { id } = await given.credential(wallet, type, session);
        yield [REVOKING, (await wallet.revoke(id, session, { times: 0 })).first];
        yield [CHANGING_EMAIL, await firstCall(wallet, CHANGING_EMAIL)];
      },
    },
  ]),
  {
    says: 'revoking a credential of type EMAIL_OTP asks for a signature',
    of: [REVOKING],
    async *make(given) {
      const { wallet, credential, session } = await given.signedIn('EMAIL_OTP');
      await given.credential(wallet, 'PASSKEY', session);
      yield [REVOKING, (await wallet.revoke(credential.id, session, { times: 0 })).first];
    },
  },
  {
    says: 'adding a credential of type EMAIL_OTP asks for a signature',
    of: [ADDING],
    async *make(given) {
      const { wallet, session } = await given.signedIn('PASSKEY');
      yield [ADDING, (await wallet.register('EMAIL_OTP', session, { times: 0 })).first];
    },
  },
  {
    says: "updating a customer's e-mail beside other fields asks for a signature",
    of: [CHANGING_EMAIL],
    async *make(given) {
      const { wallet } = await given.signedIn('EMAIL_OTP');
      const other = { fullName: 'Grace Example' };
      const update = (fields: object, label: string) =>
        wallet.send({
          operation: 'updateCustomer',
          label,
          path: { customerId: wallet.customerId },
          body: { customerType: 'INDIVIDUAL', ...fields },
        });
      wallet.need(await update(other, 'updating another field of the customer')).available();
      yield [
        CHANGING_EMAIL,
        await update({ ...other, email: newEmail() }, 'updating the e-mail and another field'),
      ];
    },
  },
];

for (const { says, of, make } of FIRST_CALLS)
  test(says, verifies(...of.map(({ rule }) => rule)), async ({ given, check, need }) => {
    const elsewhere: Answer[] = [];
    for await (const [operation, first] of make(given))
      if (isRefusedUnsigned(first) || succeeded(first))
        await asksForSignature(operation, first, { check, need });
      else elsewhere.push(first);
    for (const first of elsewhere) need(first).available();
  });

async function asksForSignature(
  { rule, assumes }: SignedOperation,
  first: Answer,
  { check, need }: { readonly check: Check; readonly need: Need },
): Promise<void> {
  // What an account may hold besides, and where an operation stands, is another matter.
  if (!isRefusedUnsigned(first)) need(first).available();
  await check(rule, () => expect(first).toHaveHttpStatus(202), { assumes });
}

async function firstCall(wallet: Wallet, operation: SignedOperation): Promise<Answer> {
  return (await (await wallet.prepare(operation)).signed({ times: 0 })).first;
}
