import { randomUUID } from 'node:crypto';
import { malformedJson } from '../../generators/mistakes.ts';
import { boundOf, shapeRules } from '../../schemas/openapi.ts';
import {
  expect,
  explore,
  newEmail,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Platform,
} from '../../suite/index.ts';

const TOO_LONG = 'x'.repeat(boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength') + 1);

/** Requests that should be answered with a status. That they are, is a rule of another spec; here it is the body that counts. */
const PROVOKED: readonly (readonly [
  status: number,
  way: string,
  send: (agent: Agent) => Promise<Answer>,
  params?: Parameters<Given['agent']>[0],
])[] = [
  [400, 'a required field missing', (agent) => agent.transferOut({ source: undefined })],
  [400, 'a text too long', (agent) => agent.transferOut({ remittanceInformation: TOO_LONG })],
  [400, 'an unknown purpose', (agent) => agent.transferOut({ purposeOfPayment: 'NO_SUCH_PURPOSE' })],
  [400, 'an amount that is text', (agent) => agent.transferOut({ amount: 'much' })],
  [400, 'a body that is not JSON', (agent) => agent.call('transferOut', { raw: '{"source":' })],
  [400, 'no body', (agent) => agent.call('transferOut', 'no body')],
  [
    401,
    'an agent operation without credentials',
    (agent) => agent.transferOut({}, { authorization: undefined }),
  ],
  [
    401,
    'a platform operation without credentials',
    (agent) => agent.approve(`AgentAction:${randomUUID()}`, { authorization: undefined }),
  ],
  [403, 'a spending limit exceeded', (agent) => agent.transferOut(), { perTransactionLimit: 500 }],
  [
    404,
    'an unknown destination account',
    (agent) => agent.transferOut({ destination: { accountId: `ExternalAccount:${randomUUID()}` } }),
  ],
];

for (const [status, way, send, params] of PROVOKED)
  test(
    `the error body of a ${status}: ${way}`,
    verifies(...errorRules(status)),
    async ({ given, need, observe }) => {
      const answer = await send(await given.agent(params));
      // The body is held against the shape of its status as every answer is; the test only has to bring one about.
      need.offered(
        answer.exchange.response?.status === status,
        `this request is answered ${answer.outcome}, so no body of a ${status} was seen`,
      );

      const { code, details } = (answer.body ?? {}) as { code?: unknown; details?: object };
      const shown = details === undefined ? 'absent' : Object.keys(details);
      observe('details-shape-by-code', { code, details: shown }, answer);
      observe('response-content-type', answer.header('content-type') ?? 'absent', answer);
      if (status === 400) observe('invalid-parameter-codes', { [way]: code }, answer);
    },
  );

test(
  'a transfer-out with a body that is not JSON answers 400',
  verifies('ERROR-MALFORMED-JSON'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.needTransfer();
    const word = await agent.call('transferOut', { raw: 'transfer', label: 'a body that is a bare word' });

    await check('ERROR-MALFORMED-JSON', () => expect(word).toHaveHttpStatus(400));
    await check('ERROR-MALFORMED-JSON', () =>
      explore(malformedJson(agent.transferOutBody()), async ({ text, mistake }) =>
        expect(
          await agent.call('transferOut', { raw: text, label: `a body that is not JSON: ${mistake}` }),
        ).toHaveHttpStatus(400),
      ),
    );
    observe('malformed-json-code', word);
  },
);

/**
 * Each is called rightly before, or what it needs was brought about with it: so it is there, and takes a body. With which status
 * such a body is refused is shown of a transfer-out alone.
 */
const TAKING_A_BODY: readonly (readonly [
  name: string,
  operation: string,
  about: (given: Given, platform: Platform) => Promise<{ readonly path?: Record<string, string> }>,
])[] = [
  [
    'creating a quote',
    'createQuote',
    async (given) => {
      const customer = await given.customer();
      customer.need(await customer.create()).accepted();
      return {};
    },
  ],
  [
    'updating a customer',
    'updateCustomer',
    async (given, platform) => {
      const { state, need } = await given.customer();
      const path = { customerId: state.customerId };
      const body = platform.filled('updateCustomer', { customerType: 'INDIVIDUAL', email: newEmail() });
      need(await platform.call('updateCustomer', { path, body })).accepted();
      return { path };
    },
  ],
  [
    'registering a credential',
    'createCredential',
    async (given) => {
      await (await given.signedIn()).wallet.addCredential('registering a credential');
      return {};
    },
  ],
  [
    'verifying a credential',
    'verifyCredential',
    async (given) => ({ path: { id: (await given.signedIn()).credential.id } }),
  ],
];

for (const [name, operation, about] of TAKING_A_BODY)
  test(
    `${name}: a body that is not JSON is refused`,
    verifies('ERROR-MALFORMED-JSON'),
    async ({ given, check, platform }) => {
      const { path } = await about(given, platform);
      const label = `${name} with a body that is a bare word`;
      const word = await platform.call(operation, { ...(path ? { path } : {}), raw: 'word', label });
      await check('ERROR-MALFORMED-JSON', () => expect(word).toBeRefused());
    },
  );

/** The shape rules of one status. The entries of details.errors have a spec of their own. */
function errorRules(status: number): readonly string[] {
  const entries = new Set(shapeRules('FieldError'));
  return shapeRules(`Error${status}`).filter((rule) => !entries.has(rule));
}
