import { expect, signedOperation, signedOperations, test, verifies } from '../../suite/index.ts';

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
    await wallet.mustComplete(from);
    await wallet.mustComplete(to);
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
      const issuedFor = await one.prepare(operation);
      const { challenge } = await one.signedRetry(issuedFor, { times: 0 });
      const foreign = { requestId: challenge.requestId, payload: () => challenge.payloadToSign };
      const label = 'with a requestId of another account';
      const attempts = [
        await two.signedRetry(operation, { label: `${label}, signed by this account`, tamper: foreign }),
      ];
      if (operation.rule !== 'RETRY-OTP-VERIFY')
        attempts.push(
          await two.signedRetry(operation, {
            label: `${label}, signed by the other account`,
            tamper: { ...foreign, key: issuedFor.key },
          }),
        );
      await one.mustComplete(operation);
      await two.mustComplete(operation);
      for (const { answer } of attempts) {
        await check('RETRY-BOUND-TO-ACCOUNT', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );

function haveSameForm(one: unknown, other: unknown): boolean {
  const keys = (body: unknown) =>
    typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : undefined;
  return keys(one) !== undefined && keys(one) === keys(other);
}
