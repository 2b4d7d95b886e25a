import {
  actionIn,
  expect,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { amountOfItsOwn, CALLERS, expectCallers, idOf, readAction, type Action } from '../support/actions.ts';
import { betweenClocks, instantOf } from '../support/instants.ts';

/** Less than any time zone is away from its neighbour, more than clocks that are kept differ. In minutes. */
const TOLERANCE_MINUTES = 10;

interface Submitted {
  readonly agent: Agent;
  readonly answer: Answer;
  readonly action: Action;
}

/** Each way to submit an action: "All agent-initiated operations (quote execution, transfers) are AgentActions". */
const SUBMISSIONS: readonly {
  readonly what: string;
  readonly rule: string;
  readonly type: string;
  readonly submit: (given: Given) => Promise<Submitted>;
}[] = [
  {
    what: 'a transfer-out',
    rule: 'ACTION-TYPE-TRANSFER-OUT',
    type: 'TRANSFER_OUT',
    submit: async (given) => {
      const agent = await given.agent();
      const answer = await agent.needTransfer();
      return { agent, answer, action: answer.body as Action };
    },
  },
  { what: 'a transfer-in', rule: 'ACTION-TYPE-TRANSFER-IN', type: 'TRANSFER_IN', submit: transferredIn },
  {
    what: 'the execution of a quote',
    rule: 'ACTION-TYPE-EXECUTE-QUOTE',
    type: 'EXECUTE_QUOTE',
    submit: executedQuote,
  },
];

for (const { what, rule, type, submit } of SUBMISSIONS)
  test(
    `the action of ${what} tells its type, who submitted it, for whom and when`,
    verifies(rule, ...CALLERS.map(([caller]) => caller), 'ACTION-CREATED-AT-SUBMISSION'),
    async ({ given, need, check, clock }) => {
      const { agent, ...submitted } = await submit(given);
      await check(rule, () => expect(submitted.action.type).toBe(type), [submitted.answer]);
      const read = await readAction(agent, String(submitted.action.id));
      for (const sight of [submitted, ...(read ? [read] : [])]) await expectCallers(check, agent, sight);
      const offset = await clock.offset(agent.state);
      const created = need.that(instantOf(submitted.action.createdAt), 'createdAt is no time');
      const sent = Date.parse(submitted.answer.header('date') ?? '');
      need.that(!Number.isNaN(sent), 'the answer has no Date that the time could be held against');
      const minutes = betweenClocks(created.at, sent, offset) / 60_000;
      await check(
        'ACTION-CREATED-AT-SUBMISSION',
        () => expect(minutes, 'minutes between createdAt and the Date').toBeLessThan(TOLERANCE_MINUTES),
        [submitted.answer],
      );
      need.offered(agent.state.customerId, 'the id of the customer is not known');
      need.offered(agent.state.platformCustomerId, "the platform's own id of the customer is not known");
    },
  );

test(
  'a transfer-in goes from the external to the internal account',
  verifies('TRANSFER-IN-DETAILS-DIRECTION', 'TRANSFER-DETAILS-AMOUNT-ECHO', 'TRANSFER-DETAILS-CURRENCY-ECHO'),
  async ({ given, check }) => {
    const { agent, action, answer } = await transferredIn(given);
    const { sourceAccountId, destinationAccountId, currency } = agent.state;
    const shown = action.transferDetails?.['currency'];
    // A body that the profile tells may name another amount, in a way of its own.
    if (agent.platform.dialect.bodies['transferIn'] === undefined)
      await check(
        'TRANSFER-DETAILS-AMOUNT-ECHO',
        () => expect(action.transferDetails?.['amount'] ?? ORDINARY_AMOUNT).toBe(ORDINARY_AMOUNT),
        [answer],
      );
    // Both accounts are of one currency. That the field is there is a rule of its own.
    if (shown !== undefined && currency !== undefined)
      await check('TRANSFER-DETAILS-CURRENCY-ECHO', () => expect(shown).toBe(currency), [answer]);
    await check(
      'TRANSFER-IN-DETAILS-DIRECTION',
      () => {
        expect(folded(action.transferDetails?.['sourceAccountId'])).toBe(folded(destinationAccountId));
        expect(folded(action.transferDetails?.['destinationAccountId'])).toBe(folded(sourceAccountId));
      },
      [answer],
    );
  },
);

for (const currency of ['USD', 'EUR'])
  test(
    `the details of the action repeat what was asked for, in ${currency}`,
    verifies(
      'TRANSFER-DETAILS-AMOUNT-ECHO',
      'TRANSFER-DETAILS-CURRENCY-ECHO',
      'TRANSFER-DETAILS-SOURCE-ECHO',
      'TRANSFER-DETAILS-DESTINATION-ECHO',
      'ACTION-TRANSFER-CURRENCY',
      'ACTION-TRANSACTION-TYPE',
    ),
    async ({ given, need, check }) => {
      const amount = amountOfItsOwn(ORDINARY_AMOUNT);
      const agent = await given.agent(currency === 'USD' ? {} : { currency });
      const answer = await agent.needTransfer({ amount });
      const details = () => answer.body.transferDetails;
      const { state } = agent;
      await check('TRANSFER-DETAILS-AMOUNT-ECHO', () => expect(details()?.amount).toBe(amount));
      for (const [rule, field] of [
        ['TRANSFER-DETAILS-SOURCE-ECHO', 'sourceAccountId'],
        ['TRANSFER-DETAILS-DESTINATION-ECHO', 'destinationAccountId'],
      ] as const)
        await check(rule, () => expect(folded(details()?.[field])).toBe(folded(state[field])));
      // That it has a type, one of three, is held wherever an action comes up.
      const kind = () => answer.body.transaction?.type;
      if (['INCOMING', 'OUTGOING', 'CARD'].includes(kind() ?? ''))
        await check('ACTION-TRANSACTION-TYPE', () => expect(kind(), 'its transaction').toBe('OUTGOING'));
      need.offered(state.currency, 'the currency of the prepared account is not known');
      await check('TRANSFER-DETAILS-CURRENCY-ECHO', () => expect(details()?.currency).toBe(state.currency));
    },
  );

test(
  'a read by its id shows that action and no other',
  verifies('ACTION-ID-STABLE'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const first = await agent.needTransfer({}, 'the first transfer-out');
    await agent.needTransfer({}, 'the second transfer-out');
    const read = await agent.readAction(idOf(agent, first), 'reading the first action back');
    const shown = need.offered(actionIn(read), 'this target offers no read of an action');
    await check('ACTION-ID-STABLE', () => expect(sameId(shown.id, first.body.id)).toBe(true), [read]);
  },
);

/** The interface shows no body of a transfer-in: where the mirrored one is not taken, the test is not verified. */
async function transferredIn(given: Given): Promise<Submitted> {
  const agent = await given.agent();
  const answer = await agent.transferIn();
  agent.need(answer).available();
  return { agent, answer, action: needShowAction(agent, answer) };
}

/** The interface shows neither operation: where the usual ones are not offered, the test is not verified. */
async function executedQuote(given: Given): Promise<Submitted> {
  const agent = await given.agentWithQuotes();
  const { id: quoteId } = await agent.needQuote();
  const answer = await agent.executeQuote(quoteId);
  agent.need(answer).available();
  return { agent, answer, action: needShowAction(agent, answer) };
}

function needShowAction({ need }: Agent, answer: Answer): Action {
  return need.offered(actionIn(answer), 'no action could be recognised in the answer') as Action;
}
