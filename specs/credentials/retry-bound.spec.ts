import { expect, test, verifies, type Given, type Need, type WalletRequest } from '../../suite/index.ts';
import { mustChallenge, mustComplete } from './support/attempts.ts';
import { signedOperation, signedOperations } from './support/signed-operations.ts';
import type { Attempt, Situation } from './support/situation.ts';

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
  const what =
    issued === used
      ? `${from.name}: a requestId does not serve for another one`
      : `a requestId of ${from.name} does not serve for ${to.name}`;
  test(what, verifies('RETRY-BOUND-TO-OPERATION'), async ({ given, check, need, observe, profile }) => {
    const shared = await sharedGiven(given, [issued, used]);
    const source = await from.prepare({ given: shared, need, profile });
    const target = await to.prepare({ given: shared, need, profile });
    const [first, second] = [await source.fresh(), await target.fresh()];
    const challenge = mustChallenge(need, await first.run({ times: 0 }));
    const request: WalletRequest = need.that(second.request, 'there is no request to send');
    // A key that may sign for the second request, and the body of the first where both have one of the same form.
    const body = sameForm(first.request?.body, request.body) ? first.request?.body : request.body;
    const label = `${to.name}, with the requestId of ${issued === used ? 'another one' : from.name}`;
    const misused = await target.wallet.retry(
      { ...request, ...(body === undefined ? {} : { body }), label },
      challenge,
      // The key of a login that is not completed signs for nothing else, so it would be refused for itself.
      issued === 'RETRY-OTP-VERIFY' ? second.by : first.by,
    );
    await mustComplete(need, source);
    await mustComplete(need, target);
    await check('RETRY-BOUND-TO-OPERATION', () => expect(misused).toBeRefused());
    observe('retry-foreign-request-id-answer', misused);
  });
}

for (const { name, rule, prepare } of signedOperations)
  test(
    `${name}: a requestId of one account does not serve on another`,
    verifies('RETRY-BOUND-TO-ACCOUNT'),
    async ({ given, check, need, observe, profile }) => {
      const [one, two] = [await prepare({ given, need, profile }), await prepare({ given, need, profile })];
      const first = await one.fresh();
      const challenge = mustChallenge(need, await first.run({ times: 0 }));
      const foreign = { requestId: challenge.requestId, payload: () => challenge.payloadToSign };
      const attempts = await bothKeys(need, two, first, foreign, rule);
      await mustComplete(need, one);
      await mustComplete(need, two);
      for (const answer of attempts) {
        await check('RETRY-BOUND-TO-ACCOUNT', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );

/** Signed by the account that it is used on, as a live session there would, and by the account that it was issued for. */
async function bothKeys(
  need: Need,
  situation: Situation,
  issuedFor: Attempt,
  foreign: { requestId: string; payload: () => string },
  rule: string,
) {
  const answers = [];
  const keys = rule === 'RETRY-OTP-VERIFY' ? [undefined] : [undefined, issuedFor.by];
  for (const key of keys) {
    const attempt = await situation.fresh();
    const signer = key ? 'signed by the other account' : 'signed by this account';
    const retry = await attempt.run(
      { ...foreign, ...(key ? { key } : {}) },
      `with a requestId of another account, ${signer}`,
    );
    mustChallenge(need, retry);
    answers.push(retry.answer);
  }
  return answers;
}

/** The same preparation, with one wallet for both operations. */
async function sharedGiven(given: Given, rules: readonly string[]): Promise<Given> {
  const needsCode = rules.some((rule) => /EMAIL|OTP/.test(rule));
  const signedIn = await given.signedIn(needsCode ? 'EMAIL_OTP' : undefined);
  return new Proxy(given, {
    get: (target, name) => {
      if (name === 'signedIn') return () => Promise.resolve(signedIn);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function sameForm(one: unknown, other: unknown): boolean {
  const keys = (body: unknown) =>
    typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : undefined;
  return keys(one) !== undefined && keys(one) === keys(other);
}
