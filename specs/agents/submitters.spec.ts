import { expect, test, verifies, type Agent, type Answer, type Given, type Need } from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import { betweenClocks, instantOf, objectsIn, readAction, type Action } from '../support/actions.ts';

/** Less than any time zone is away from its neighbour, more than clocks that are kept differ. In minutes. */
const TOLERANCE_MINUTES = 10;

interface Submitted {
  readonly agent: Agent;
  readonly answer: Answer;
}

/** Each way to submit an action: "All agent-initiated operations (quote execution, transfers) are AgentActions". */
const SUBMISSIONS: Readonly<Record<string, (given: Given, need: Need) => Promise<Submitted>>> = {
  'a transfer-out': async (given) => {
    const agent = await given.agent();
    return { agent, answer: await agent.mustTransfer() };
  },
  'a transfer-in': async (given, need) => {
    const agent = await given.agent();
    const answer = await agent.transferIn();
    need(answer).available();
    return { agent, answer };
  },
  'the execution of a quote': async (given, need) => {
    const agent = await given.agentWithQuotes();
    const asked = await agent.createQuote();
    need(asked).available();
    const quote = need.offered(withId(asked, 'Quote'), 'no quote could be recognised in the answer');
    const answer = await agent.executeQuote(String(quote['id']));
    need(answer).available();
    return { agent, answer };
  },
};

for (const [what, submit] of Object.entries(SUBMISSIONS)) {
  test(
    `the action of ${what} names the agent that submitted it, and the customer that it acts for`,
    verifies('ACTION-AGENT-ID-CALLER', 'ACTION-CUSTOMER-ID-CALLER', 'ACTION-PLATFORM-CUSTOMER-ID-CALLER'),
    async ({ given, need, check }) => {
      const { agent, answer } = await submit(given, need);
      const action = mustShow(need, answer);
      const read = await readAction(agent, String(action.id));
      const { agentId, customerId, platformCustomerId } = agent.state;
      for (const seen of [{ answer, action }, ...(read ? [read] : [])]) {
        const said = [
          ['ACTION-AGENT-ID-CALLER', seen.action.agentId, agentId],
          ['ACTION-CUSTOMER-ID-CALLER', seen.action.customerId, customerId],
          ['ACTION-PLATFORM-CUSTOMER-ID-CALLER', seen.action.platformCustomerId, platformCustomerId],
        ] as const;
        for (const [rule, shown, known] of said)
          // That the field is there, as text, is a rule of its own, and what was prepared may not tell it.
          if (typeof shown === 'string' && known !== undefined)
            await check(rule, () => expect(folded(shown)).toBe(folded(known)), [seen.answer]);
      }
      need.offered(customerId, 'the id of the customer is not known');
      need.offered(platformCustomerId, "the platform's own id of the customer is not known");
    },
  );

  test(
    `createdAt of ${what} is the time of the submission`,
    verifies('ACTION-CREATED-AT-SUBMISSION'),
    async ({ given, need, check, clock }) => {
      const { agent, answer } = await submit(given, need);
      const offset = await clock.offset(agent.state);
      const created = need.that(instantOf(mustShow(need, answer).createdAt), 'createdAt is no time');
      const sent = Date.parse(answer.header('date') ?? '');
      need.that(!Number.isNaN(sent), 'the answer has no Date that the time could be held against');
      const minutes = betweenClocks(created.at, sent, offset) / 60_000;
      await check(
        'ACTION-CREATED-AT-SUBMISSION',
        () =>
          expect(minutes, 'minutes between createdAt and the Date of the answer').toBeLessThan(
            TOLERANCE_MINUTES,
          ),
        [answer],
      );
    },
  );
}

function mustShow(need: Need, answer: Answer): Action {
  return need.offered(withId(answer, 'AgentAction'), 'no action could be recognised in the answer');
}

/** The record of a type in an answer of unknown shape; known by the form of its id. */
function withId(answer: Answer, type: string): Readonly<Record<string, unknown>> | undefined {
  return objectsIn(answer).find(({ id }) => typeof id === 'string' && id.startsWith(`${type}:`));
}
