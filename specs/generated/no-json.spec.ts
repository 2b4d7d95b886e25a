import { noJson } from '../../generators/json.ts';
import { expect, survey, test, verifies, type Answer, type Need, type Given } from '../../suite/index.ts';
import type { CallParts } from '../../suite/api/platform.ts';
import { mustWait } from '../support/sca.ts';
import { sentBody } from '../../suite/bodies.ts';
import { requestShape } from '../../generators/requests.ts';

/** A prepared operation that takes a JSON body: a legal one, and how to send any text in its place. */
interface Prepared {
  readonly body: Readonly<Record<string, unknown>>;
  readonly send: (parts: CallParts) => Promise<Answer>;
}

/** The operations of the interface with a body, on records that are there, so that nothing but the text is wrong. */
const OPERATIONS: Readonly<Record<string, (given: Given, need: Need) => Promise<Prepared>>> = {
  async transferOut(given) {
    const agent = await given.agent();
    return { body: agent.transferOutBody(), send: (parts) => agent.call('transferOut', parts) };
  },
  async createCredential(given) {
    const { wallet } = await given.signedIn();
    const { body } = await wallet.draftOauth();
    return { body, send: (parts) => wallet.send({ operation: 'createCredential', ...parts }) };
  },
  async verifyCredential(given) {
    const { wallet, credential } = await given.signedIn('OAUTH');
    const path = { id: credential.id };
    let body: Readonly<Record<string, unknown>> = {};
    await wallet.login(credential, {
      verify: (request) => {
        body = request.body as Readonly<Record<string, unknown>>;
        return request;
      },
    });
    return { body, send: (parts) => wallet.send({ operation: 'verifyCredential', path, ...parts }) };
  },
  async createQuote(given) {
    const customer = await given.customer();
    return { body: customer.body(), send: (parts) => customer.call('createQuote', parts) };
  },
  async authorizeQuote(given, need) {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { quote, challenge } = await mustWait(need, customer);
    const body = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const path = { quoteId: String(quote.id) };
    return { body, send: (parts) => customer.call('authorizeQuote', { path, ...parts }) };
  },
};

for (const [operation, prepare] of Object.entries(OPERATIONS))
  test(
    `${operation}: a body that is no JSON answers 400`,
    verifies('ERROR-MALFORMED-JSON', 'GENERAL-RESPONSES-JSON'),
    async ({ given, need, check }) => {
      const { body, send } = await prepare(given, need);
      const shape = requestShape(operation);

      await survey(check, noJson(body), async ({ says, text }, on) => {
        const answer = on.told(await send({ raw: text, label: `${operation}, a body ${says}` }));
        on.must(sentBody(shape, answer) === 'no JSON', 'what was sent is JSON');
        await on.hold('ERROR-MALFORMED-JSON', () => expect(answer).toHaveHttpStatus(400));
      });
      // A token serves for one verify only, and the one of this body may have served already.
      if (operation !== 'verifyCredential')
        need(await send({ body, label: `${operation} in plain JSON` })).accepted();
    },
  );
