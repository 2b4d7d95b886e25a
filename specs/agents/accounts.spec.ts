import { randomUUID } from 'node:crypto';
import { expect, test, verifies, type Agent, type Answer, type Need } from '../../suite/index.ts';

test(
  'an account of another customer cannot be the source',
  verifies('TRANSFER-SOURCE-FOREIGN'),
  async ({ given, need, check, observe }) => {
    const agent = await controlled(await given.agent(), need);
    const foreign = await given.foreignAccounts();
    const answer = await from(
      agent,
      foreign.internalAccountId,
      "a transfer-out from another customer's account",
    );
    await check('TRANSFER-SOURCE-FOREIGN', () => expect(answer).toBeRefused(400, 403, 404));
    observe('foreign-account-answer', answer);
  },
);

test(
  'an account of another customer cannot be the destination',
  verifies('TRANSFER-DESTINATION-FOREIGN'),
  async ({ given, need, check, observe }) => {
    const agent = await controlled(await given.agent(), need);
    const foreign = await given.foreignAccounts();
    const answer = await to(agent, foreign.externalAccountId, "a transfer-out to another customer's account");
    await check('TRANSFER-DESTINATION-FOREIGN', () => expect(answer).toBeRefused(400, 403, 404));
    observe('foreign-account-answer', answer);
  },
);

test(
  "the accounts of another agent's customer are foreign too",
  verifies('TRANSFER-SOURCE-FOREIGN', 'TRANSFER-DESTINATION-FOREIGN'),
  async ({ given, need, check, profile }) => {
    need.offered(profile.preparation !== 'fixtures', 'prepared agents may act for one customer');
    const agent = await controlled(await given.agent(), need);
    const other = await controlled(await given.agent(), need);
    need.offered(
      agent.state.customerId !== other.state.customerId,
      'the prepared agents act for one customer',
    );
    const source = await from(
      agent,
      other.state.sourceAccountId,
      "a transfer-out from the other agent's account",
    );
    await check('TRANSFER-SOURCE-FOREIGN', () => expect(source).toBeRefused(400, 403, 404));
    const destination = await to(
      agent,
      other.state.destinationAccountId,
      "a transfer-out to the other agent's account",
    );
    await check('TRANSFER-DESTINATION-FOREIGN', () => expect(destination).toBeRefused(400, 403, 404));
  },
);

test(
  'a source that does not exist is not found',
  verifies('TRANSFER-SOURCE-UNKNOWN'),
  async ({ given, need, check, observe }) => {
    const agent = await controlled(await given.agent(), need);
    const answer = await from(
      agent,
      `InternalAccount:${randomUUID()}`,
      'a transfer-out from an account that does not exist',
    );
    await check('TRANSFER-SOURCE-UNKNOWN', () => expect(answer).toHaveHttpStatus(404));
    observe('unknown-account-code', answer);
  },
);

test(
  'a destination that does not exist is not found',
  verifies('TRANSFER-DESTINATION-UNKNOWN'),
  async ({ given, need, check, observe }) => {
    const agent = await controlled(await given.agent(), need);
    const answer = await to(
      agent,
      `ExternalAccount:${randomUUID()}`,
      'a transfer-out to an account that does not exist',
    );
    await check('TRANSFER-DESTINATION-UNKNOWN', () => expect(answer).toHaveHttpStatus(404));
    observe('unknown-account-code', answer);
  },
);

/** An agent whose own accounts work. */
async function controlled(agent: Agent, need: Need): Promise<Agent> {
  need(
    await agent.transferOut({}, { label: "a transfer-out between the customer's own accounts" }),
  ).accepted();
  return agent;
}

function from(agent: Agent, accountId: string, label: string): Promise<Answer> {
  return agent.transferOut({ source: { accountId } }, { label });
}

function to(agent: Agent, accountId: string, label: string): Promise<Answer> {
  return agent.transferOut({ destination: { accountId } }, { label });
}
