import { expect, ORDINARY_AMOUNT, test, verifies, type Agent, type Answer } from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import {
  ABOVE,
  amountOfItsOwn,
  mustApprove,
  idOf,
  objectsIn,
  pending,
  readAction,
  mustReject,
  THRESHOLD,
  type Action,
  type Sighting,
} from '../support/actions.ts';

test(
  'the details of the action repeat what was asked for',
  verifies(
    'TRANSFER-DETAILS-AMOUNT-ECHO',
    'TRANSFER-DETAILS-CURRENCY-ECHO',
    'TRANSFER-DETAILS-SOURCE-ECHO',
    'TRANSFER-DETAILS-DESTINATION-ECHO',
  ),
  async ({ given, need, check }) => {
    const amount = amountOfItsOwn(ORDINARY_AMOUNT);
    const agent = await given.agent();
    const answer = await agent.mustTransfer({ amount });
    const details = () => answer.body.transferDetails;
    const { currency, sourceAccountId, destinationAccountId } = agent.state;
    await check('TRANSFER-DETAILS-AMOUNT-ECHO', () => expect(details()?.amount).toBe(amount));
    await check('TRANSFER-DETAILS-SOURCE-ECHO', () =>
      expect(folded(details()?.sourceAccountId)).toBe(folded(sourceAccountId)),
    );
    await check('TRANSFER-DETAILS-DESTINATION-ECHO', () =>
      expect(folded(details()?.destinationAccountId)).toBe(folded(destinationAccountId)),
    );
    need.offered(currency, 'the currency of the prepared account is not known');
    await check('TRANSFER-DETAILS-CURRENCY-ECHO', () => expect(details()?.currency).toBe(currency));
  },
);

test(
  'the details of the action name the currency of the account, whichever it is',
  verifies('TRANSFER-DETAILS-CURRENCY-ECHO', 'ACTION-TRANSFER-CURRENCY'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ currency: 'EUR' });
    const answer = await agent.mustTransfer();
    const { currency } = agent.state;
    need.offered(currency, 'the currency of the prepared account is not known');
    await check('TRANSFER-DETAILS-CURRENCY-ECHO', () =>
      expect(answer.body.transferDetails?.currency).toBe(currency),
    );
  },
);

const DECISIONS = { approval: mustApprove, rejection: mustReject } as const;

for (const decision of Object.keys(DECISIONS))
  test(
    `an action keeps its id through ${decision} and reads`,
    verifies('ACTION-ID-STABLE'),
    async ({ given, need, check }) => {
      const amount = amountOfItsOwn(ABOVE);
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const { id } = await pending(agent, amount);
      const keepsId = async (when: string) => {
        const list = await agent.call('listMyActions', `listing the actions ${when}`);
        need.offered(withAmount(list, amount), `this target lists no action ${when}`);
        await check('ACTION-ID-STABLE', () => expect(folded(withAmount(list, amount)?.id)).toBe(folded(id)), [
          list,
        ]);
      };
      await keepsId(`before the ${decision}`);
      const answer = decision === 'approval' ? await agent.approve(id) : await agent.reject(id);
      need(answer).available();
      await keepsId(`after the ${decision}`);
    },
  );

test(
  'a read by its id shows that action and no other',
  verifies('ACTION-ID-STABLE'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const first = await agent.transferOut({}, 'the first transfer-out');
    const second = await agent.transferOut({}, 'the second transfer-out');
    need(first).accepted();
    need(second).accepted();
    const read = await agent.readAction(idOf(agent, first), 'reading the first action back');
    const shown = need.offered(objectsIn(read).find(isAction), 'this target offers no read of an action');
    await check('ACTION-ID-STABLE', () => expect(sameId(shown.id, first.body.id)).toBe(true), [read]);
  },
);

for (const [decision, decide] of Object.entries(DECISIONS))
  test(
    `${decision} does not change what was submitted`,
    verifies('ACTION-DETAILS-STABLE'),
    async ({ given, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const { id, answer } = await pending(agent);
      const decided = await decide(agent, id);
      await check('ACTION-DETAILS-STABLE', () => expectSameSubmission(decided, answer));
      const read = await wholeRead(agent, await readAction(agent, id));
      await check('ACTION-DETAILS-STABLE', () => expectSameSubmission(read, answer));
    },
  );

/** A later sight of an action may be a summary: what it leaves out has not changed. */
function expectSameSubmission({ action }: Sighting, submitted: Answer): void {
  const { agentId, customerId, type, transferDetails } = submitted.body as Action;
  if (action.agentId !== undefined) expect(folded(action.agentId)).toBe(folded(agentId));
  if (action.customerId !== undefined) expect(folded(action.customerId)).toBe(folded(customerId));
  if (action.type !== undefined) expect(action.type).toBe(type);
  for (const field of ['amount', 'currency', 'sourceAccountId', 'destinationAccountId'])
    if (action.transferDetails?.[field] !== undefined)
      expect(folded(action.transferDetails[field])).toBe(folded(transferDetails?.[field]));
}

async function wholeRead({ need }: Agent, read: Sighting | undefined): Promise<Sighting> {
  return need.offered(read, 'this target offers no read of an action');
}

function withAmount(list: Answer, amount: number): Action | undefined {
  return (objectsIn(list) as readonly Action[]).find(
    (action) => action.transferDetails?.['amount'] === amount && action.id !== undefined,
  );
}

function isAction(one: Action): one is Action & { readonly id: string } {
  return typeof one.id === 'string' && one.id.startsWith('AgentAction:');
}
