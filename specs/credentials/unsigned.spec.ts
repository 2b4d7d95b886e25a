import {
  asksForSignature,
  expect,
  newEmail,
  sessionSigned,
  signedOperation,
  signedOperations,
  test,
  verifies,
  type Answer,
  type CredentialType,
  type Given,
  type SignedOperation,
  type Wallet,
} from '../../suite/index.ts';

const TYPES = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const satisfies readonly CredentialType[];
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
const REVOKING = signedOperation('RETRY-CREDENTIAL-REVOKE');
const CHANGING_EMAIL = signedOperation('RETRY-CUSTOMER-EMAIL');

/** A call without a signature, where one is needed. */
interface FirstCall {
  readonly operation: SignedOperation;
  /** Follows the operation in the title. */
  readonly says: string;
  readonly make: (given: Given) => Promise<Answer>;
}

const FIRST_CALLS: readonly FirstCall[] = [
  ...signedOperations.map((operation) => ({
    operation,
    says: 'a second time',
    make: async (given: Given) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      await wallet.mustComplete(operation);
      return firstCall(wallet, operation);
    },
  })),
  ...TYPES.flatMap((type) => [
    ...sessionSigned
      .filter(({ signsInWith }) => signsInWith === undefined)
      .map((operation) => ({
        operation,
        says: `in a session of ${type}`,
        make: async (given: Given) => firstCall((await given.signedIn(type)).wallet, operation),
      })),
    {
      operation: CHANGING_EMAIL,
      says: `where ${type} stands beside EMAIL_OTP`,
      make: async (given: Given) => {
        given.mustProve(type);
        const { wallet, session } = await given.signedIn('EMAIL_OTP');
        await given.credential(wallet, type, session);
        return firstCall(wallet, CHANGING_EMAIL);
      },
    },
    {
      operation: REVOKING,
      says: `of type ${type}`,
      make: async (given: Given) => {
        given.mustProve(type);
        const { wallet, session } = await given.signedIn();
        const { id } = await given.credential(wallet, type, session);
        return (await wallet.revoke(id, session, { times: 0 })).first;
      },
    },
  ]),
  {
    operation: REVOKING,
    says: 'of type EMAIL_OTP',
    make: async (given) => {
      const { wallet, credential, session } = await given.signedIn('EMAIL_OTP');
      await given.credential(wallet, 'PASSKEY', session);
      return (await wallet.revoke(credential.id, session, { times: 0 })).first;
    },
  },
  {
    operation: ADDING,
    says: 'of type EMAIL_OTP',
    make: async (given) => {
      const { wallet, session } = await given.signedIn('PASSKEY');
      return (await wallet.register('EMAIL_OTP', session, { times: 0 })).first;
    },
  },
  {
    operation: CHANGING_EMAIL,
    says: 'beside other fields',
    make: async (given) => {
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
      return update({ ...other, email: newEmail() }, 'updating the e-mail and another field');
    },
  },
];

for (const { operation, says, make } of FIRST_CALLS)
  test(
    `${operation.name} ${says} asks for a signature`,
    verifies(operation.rule),
    async ({ given, check, need }) => {
      const first = await make(given);
      // What an account may hold besides, and where an operation stands, is another matter.
      if (!asksForSignature(first)) need(first).available();
      await check(operation.rule, () => expect(first).toHaveHttpStatus(202), {
        assumes: operation.assumes,
      });
    },
  );

async function firstCall(wallet: Wallet, operation: SignedOperation): Promise<Answer> {
  return (await (await wallet.prepare(operation)).send({ times: 0 })).first;
}
