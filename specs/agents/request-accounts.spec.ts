import { randomUUID } from 'node:crypto';
import { wrongRecordIds } from '../../generators/ids.ts';
import { expect, explore, test, verifies, type Agent, type Answer } from '../../suite/index.ts';
import { inTurn } from '../support/replay.ts';
import { notAccepted, refusedAsInvalid } from '../support/refusals.ts';

/** An id of the wrong form may be an invalid parameter or name no account: the text does not say which. */
const ANY_4XX: readonly number[] = [];

type End = 'source' | 'destination';

/** A transfer-out whose one end is replaced. */
const withEnd = (agent: Agent, end: End, to: unknown, label: string) =>
  agent.transferOut({ [end]: to }, label);

const END_RULES = {
  source: {
    required: 'TRANSFER-SOURCE-REQUIRED',
    accountId: 'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    form: 'TRANSFER-SOURCE-FORM',
  },
  destination: {
    required: 'TRANSFER-DESTINATION-REQUIRED',
    accountId: 'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    form: 'TRANSFER-DESTINATION-FORM',
  },
} as const;

for (const end of ['source', 'destination'] as const) {
  const rules = END_RULES[end];
  const legal = (agent: Agent) =>
    end === 'source' ? agent.state.sourceAccountId : agent.state.destinationAccountId;
  const opposite = (agent: Agent) =>
    end === 'source' ? agent.state.destinationAccountId : agent.state.sourceAccountId;

  test(
    `a ${end} and its accountId are required`,
    verifies(rules.required, rules.accountId, 'TRANSFER-INVALID-STATUS'),
    async ({ given, check }) => {
      const agent = await given.agent();
      await agent.mustTransfer();

      await refusedAsInvalid(check, rules.required, [
        await withEnd(agent, end, undefined, `a transfer-out without ${end}`),
      ]);
      await refusedAsInvalid(check, rules.accountId, [
        await withEnd(agent, end, {}, `a ${end} without accountId`),
      ]);
    },
  );

  test(
    `a ${end} is an object, its accountId is text`,
    verifies('TRANSFER-REFERENCE-TYPES', 'TRANSFER-INVALID-STATUS'),
    async ({ given, check }) => {
      const agent = await given.agent();
      await agent.mustTransfer();
      const id = legal(agent);
      const others: readonly (readonly [string, unknown])[] = [
        ['null', null],
        ['plain text', id],
        ['a number', 1],
        ['a list', [{ accountId: id }]],
        ['an accountId of null', { accountId: null }],
        ['an accountId that is a number', { accountId: 1 }],
        ['an accountId that is an object', { accountId: { accountId: id } }],
        ['an accountId that is a list', { accountId: [id] }],
      ];
      const answers = await inTurn(others, ([what, other]) =>
        withEnd(agent, end, other, `${what} as ${end}`),
      );

      await refusedAsInvalid(check, 'TRANSFER-REFERENCE-TYPES', answers);
    },
  );

  test(
    `the account at the other end is no ${end}`,
    verifies(rules.form, 'TRANSFER-INVALID-STATUS'),
    async ({ given, check }) => {
      const agent = await given.agent();
      await agent.mustTransfer();
      const answer = await withEnd(
        agent,
        end,
        { accountId: opposite(agent) },
        `the other end's account as ${end}`,
      );

      await refusedAsInvalid(check, rules.form, [answer], ANY_4XX);
    },
  );

  test(
    `every tampered id is refused as ${end}`,
    verifies(rules.form, 'TRANSFER-INVALID-STATUS'),
    async ({ given, check, observe }) => {
      const agent = await given.agent();
      await agent.mustTransfer();

      await check(rules.form, () =>
        explore(wrongRecordIds(legal(agent)), async ({ id, mistake }) =>
          notAccepted(
            await withEnd(agent, end, { accountId: id }, `an account id with a mistake: ${mistake}`),
          ),
        ),
      );
      const [, uuid = ''] = legal(agent).split(':');
      const bare = await withEnd(agent, end, { accountId: uuid }, `a bare uuid as ${end}`);
      await refusedAsInvalid(check, rules.form, [bare], ANY_4XX);
      observe('malformed-account-id', bare);
    },
  );
}

test(
  'an account of another customer cannot be the source',
  verifies('TRANSFER-SOURCE-FOREIGN'),
  async ({ given, check, observe }) => {
    const agent = await controlled(await given.agent());
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
  async ({ given, check, observe }) => {
    const agent = await controlled(await given.agent());
    const foreign = await given.foreignAccounts();
    const answer = await to(agent, foreign.externalAccountId, "a transfer-out to another customer's account");
    await check('TRANSFER-DESTINATION-FOREIGN', () => expect(answer).toBeRefused(400, 403, 404));
    observe('foreign-account-answer', answer);
  },
);

test(
  "the accounts of another agent's customer are foreign too",
  verifies('TRANSFER-SOURCE-FOREIGN', 'TRANSFER-DESTINATION-FOREIGN'),
  async ({ given, need, check }) => {
    given.unshared('prepared agents may act for one customer');
    const agent = await controlled(await given.agent());
    const other = await controlled(await given.agent());
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
  async ({ given, check, observe }) => {
    const agent = await controlled(await given.agent());
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
  async ({ given, check, observe }) => {
    const agent = await controlled(await given.agent());
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
async function controlled(agent: Agent): Promise<Agent> {
  await agent.mustTransfer({}, "a transfer-out between the customer's own accounts");
  return agent;
}

function from(agent: Agent, accountId: string, label: string): Promise<Answer> {
  return agent.transferOut({ source: { accountId } }, { label });
}

function to(agent: Agent, accountId: string, label: string): Promise<Answer> {
  return agent.transferOut({ destination: { accountId } }, { label });
}
