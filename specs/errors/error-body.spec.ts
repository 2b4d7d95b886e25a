import { randomUUID } from 'node:crypto';
import { malformedJson } from '../../generators/mistakes.ts';
import { boundOf, shapeRules } from '../../schemas/openapi.ts';
import {
  expect,
  explore,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Platform,
} from '../../suite/index.ts';

type Provoke = (parts: { given: Given; platform: Platform }) => Promise<Answer>;

/** Requests that should be answered with a status. That they are, is a rule of another spec; here it is the body that counts. */
const PROVOKED: Readonly<Record<number, Readonly<Record<string, Provoke>>>> = {
  400: {
    'a required field missing': async ({ given }) => (await given.agent()).transferOut({ source: undefined }),
    'a text too long': async ({ given }) =>
      (await given.agent()).transferOut({
        remittanceInformation: 'x'.repeat(
          boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength') + 1,
        ),
      }),
    'an unknown purpose': async ({ given }) =>
      (await given.agent()).transferOut({ purposeOfPayment: 'NO_SUCH_PURPOSE' }),
    'an amount that is text': async ({ given }) => (await given.agent()).transferOut({ amount: 'much' }),
    'a body that is not JSON': async ({ given }) =>
      (await given.agent()).call('transferOut', { raw: '{"source":', label: 'a body that is not JSON' }),
    'no body': async ({ given }) => (await given.agent()).call('transferOut', { label: 'no body' }),
  },
  401: {
    'an agent operation without credentials': async ({ given }) =>
      (await given.agent()).transferOut({}, { authorization: undefined }),
    'an agent operation with an invented token': async ({ given }) =>
      (await given.agent()).transferOut({}, { authorization: `Bearer ${randomUUID()}` }),
    'an agent operation with platform credentials': async ({ given, platform }) =>
      (await given.agent()).transferOut({}, { authorization: platform.authorization }),
    'a platform operation without credentials': async ({ given, platform }) => {
      const { agentId } = (await given.agent()).state;
      return platform.approve(agentId, `AgentAction:${randomUUID()}`, { authorization: undefined });
    },
  },
  403: {
    'a permission that the policy does not grant': async ({ given }) =>
      (await given.agent({ permissions: ['VIEW_TRANSACTIONS'] })).transferOut(),
    'a spending limit exceeded': async ({ given }) =>
      (await given.agent({ perTransactionLimit: 500 })).transferOut(),
  },
  404: {
    'an unknown source account': async ({ given }) =>
      unknownAccount(await given.agent(), 'source', 'InternalAccount'),
    'an unknown destination account': async ({ given }) =>
      unknownAccount(await given.agent(), 'destination', 'ExternalAccount'),
  },
};

for (const [status, ways] of Object.entries(PROVOKED))
  for (const [way, provoke] of Object.entries(ways))
    test(
      `the error body of a ${status}: ${way}`,
      verifies(...errorRules(status)),
      async ({ given, platform, need, observe }) => {
        const answer = await provoke({ given, platform });
        // The body is held against the shape of its status as every answer is; the test only has to bring one about.
        need.offered(
          String(answer.exchange.response?.status) === status,
          `this request is answered ${answer.outcome}, so no body of a ${status} was seen`,
        );

        const { code, details } = (answer.body ?? {}) as { code?: unknown; details?: object };
        observe(
          'details-shape-by-code',
          { code, details: details === undefined ? 'absent' : Object.keys(details) },
          answer,
        );
        observe('response-content-type', answer.header('content-type') ?? 'absent', answer);
        if (status === '400') observe('invalid-parameter-codes', { [way]: code }, answer);
      },
    );

test(
  'a body that is not JSON answers 400',
  verifies('ERROR-MALFORMED-JSON'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.mustTransfer();
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

/** The shape rules of one status. The entries of details.errors have a spec of their own. */
function errorRules(status: string): readonly string[] {
  const entries = new Set(shapeRules('FieldError'));
  return shapeRules(`Error${status}`).filter((rule) => !entries.has(rule));
}

function unknownAccount(agent: Agent, end: 'source' | 'destination', resource: string): Promise<Answer> {
  return agent.transferOut(
    { [end]: { accountId: `${resource}:${randomUUID()}` } },
    { label: `an unknown ${end} account` },
  );
}
