import { bentRecordIds } from '../../generators/ids.ts';
import { explore, test, verifies, type Agent } from '../../suite/index.ts';
import { notAccepted, refusedAsInvalid } from '../support/transfer-mistakes.ts';
import { inTurn } from '../support/replay.ts';

/** An id of the wrong form may be an invalid parameter or name no account: the text does not say which. */
const ANY_4XX: readonly number[] = [];

type End = 'source' | 'destination';

/** A transfer-out whose one end is replaced. */
const withEnd = (agent: Agent, end: End, to: unknown, label: string) =>
  agent.transferOut({ [end]: to }, { label });

const RULES = {
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
  const rules = RULES[end];
  const legal = (agent: Agent) =>
    end === 'source' ? agent.state.sourceAccountId : agent.state.destinationAccountId;
  const opposite = (agent: Agent) =>
    end === 'source' ? agent.state.destinationAccountId : agent.state.sourceAccountId;

  test(
    `a ${end} and its accountId are required`,
    verifies(rules.required, rules.accountId, 'TRANSFER-INVALID-STATUS'),
    async ({ given, need, check }) => {
      const agent = await given.agent();
      need(await agent.transferOut()).accepted();

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
    async ({ given, need, check }) => {
      const agent = await given.agent();
      need(await agent.transferOut()).accepted();
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
    async ({ given, need, check }) => {
      const agent = await given.agent();
      need(await agent.transferOut()).accepted();
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
    async ({ given, need, check, observe }) => {
      const agent = await given.agent();
      need(await agent.transferOut()).accepted();

      await check(rules.form, () =>
        explore(bentRecordIds(legal(agent)), async ({ id, mistake }) =>
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
