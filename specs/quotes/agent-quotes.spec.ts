import { shapeRules } from '../../schemas/openapi.ts';
import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';

/** Rules of actions that execute a quote; the shapes are held wherever an action comes up. */
const SHAPE = shapeRules('AgentAction').filter((id) =>
  ['ACTION-QUOTE', 'ACTION-QUOTE-FOR-EXECUTE', 'ACTION-NO-DETAILS-FOR-EXECUTE'].includes(id),
);
const EFFECT = ['ACTION-TYPE-EXECUTE-QUOTE', 'ACTION-QUOTE-IS-EXECUTED-ONE', 'ACTION-TRANSACTION-OF-QUOTE'];

for (const execution of ['AUTO', 'APPROVAL_REQUIRED'] as const)
  test(
    `the action of an agent that executes a quote (${execution}) carries the quote and no transferDetails`,
    verifies(...SHAPE, ...EFFECT),
    async ({ given, check, need, platform }) => {
      const agent = await given.agentWithQuotes({ execution });
      const created = await agent.call('createAgentQuote', {
        label: 'the agent creates a quote',
        body: platform.filled('createAgentQuote', agent.state.body),
      });
      need(created).available();
      const quoteId = need.offered(idOf(created, 'Quote'), 'no quote could be recognised in the answer');
      const executed = await agent.call('executeAgentQuote', {
        label: 'the agent executes the quote',
        path: { quoteId },
      });
      need(executed).available();
      const actionId = need.offered(
        idOf(executed, 'AgentAction'),
        'no action could be recognised in the answer',
      );
      const read = await agent.readAction(actionId);
      for (const answer of [executed, read]) {
        const action = actionIn(answer);
        if (!action) continue;
        await check('ACTION-TYPE-EXECUTE-QUOTE', () => expect(action.type).toBe('EXECUTE_QUOTE'), [answer]);
        // That the quote is there at all is a rule of its own.
        if (!action.quote) continue;
        await check(
          'ACTION-QUOTE-IS-EXECUTED-ONE',
          () => expect(folded(action.quote?.id)).toBe(folded(quoteId)),
          [answer],
        );
        // The fields of a transaction are not shown: it is known by an id of the documented form.
        const id = action.transaction?.id;
        if (typeof id === 'string' && id.startsWith('Transaction:'))
          await check(
            'ACTION-TRANSACTION-OF-QUOTE',
            () => expect(folded(id)).toBe(folded(action.quote?.transactionId)),
            [answer],
          );
      }
    },
  );

test(
  'an agent pays from and to no account of another customer by a quote',
  verifies('AGENT-QUOTE-SCOPED'),
  async ({ given, check, need, observe }) => {
    const agent = await given.agentWithQuotes();
    const { body } = agent.state;
    const create = (label: string, changes: object = {}) =>
      agent.call('createAgentQuote', { label, body: { ...body, ...changes } });
    const own = await create("the agent creates a quote from its customer's account");
    need(own).available();
    const { internalAccountId, externalAccountId } = await given.foreignAccounts();
    const source = body['source'] as Readonly<Record<string, unknown>> | undefined;
    need.offered(typeof source?.['accountId'] === 'string', 'the prepared quote is not paid from an account');
    const from = { source: { ...source, accountId: internalAccountId } };
    const to = { destination: { destinationType: 'ACCOUNT', accountId: externalAccountId } };
    const foreign = [
      await create("the agent creates a quote from another customer's account", from),
      await create("the agent creates a quote between another customer's accounts", { ...from, ...to }),
      await create("the agent creates a quote to another customer's external account", to),
    ];
    observe('foreign-account-answer', foreign[0], ...foreign);
    await check('AGENT-QUOTE-SCOPED', () => {
      for (const answer of foreign) expect(answer).toBeRefused();
    });
  },
);

interface Action {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly quote?: { readonly id?: unknown; readonly transactionId?: unknown };
  readonly transaction?: { readonly id?: unknown } | null;
}

function actionIn(answer: Answer): Action | undefined {
  return partsOf(answer).find((one) => String(one['id']).startsWith('AgentAction:')) as Action | undefined;
}

function idOf(answer: Answer, type: string): string | undefined {
  const found = partsOf(answer).find(({ id }) => typeof id === 'string' && id.startsWith(`${type}:`));
  return found?.['id'] as string | undefined;
}

/** An accepted answer of unknown shape: itself and its properties. */
function partsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (!answer.exchange.response || !answer.accepted) return [];
  const body: unknown = answer.body;
  return isObject(body) ? [body, ...Object.values(body).filter(isObject)] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
