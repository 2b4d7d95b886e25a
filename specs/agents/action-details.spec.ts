import { expect, ORDINARY_AMOUNT, test, verifies } from '../../suite/index.ts';
import { amountOfItsOwn } from '../support/agents.ts';
import { folded } from '../../suite/same-id.ts';

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
    const answer = await agent.transferOut({ amount });
    need(answer).accepted();
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
  'the action names the agent that submitted it, and the customer that it acts for',
  verifies('ACTION-AGENT-ID-CALLER', 'ACTION-CUSTOMER-ID-CALLER', 'ACTION-PLATFORM-CUSTOMER-ID-CALLER'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const answer = await agent.transferOut();
    need(answer).accepted();
    const { agentId, customerId, platformCustomerId } = agent.state;
    await check('ACTION-AGENT-ID-CALLER', () => expect(folded(answer.body.agentId)).toBe(folded(agentId)));
    if (platformCustomerId !== undefined)
      await check('ACTION-PLATFORM-CUSTOMER-ID-CALLER', () =>
        expect(answer.body.platformCustomerId).toBe(platformCustomerId),
      );
    need.offered(customerId, 'the id of the customer is not known');
    await check('ACTION-CUSTOMER-ID-CALLER', () =>
      expect(folded(answer.body.customerId)).toBe(folded(customerId)),
    );
    need.offered(platformCustomerId, "the platform's own id of the customer is not known");
  },
);
