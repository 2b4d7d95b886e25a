import { extraFields } from '../../generators/json.ts';
import { wrongRecordIds } from '../../generators/ids.ts';
import { explore, test, verifies, type Agent } from '../../suite/index.ts';
import { exploredAsInvalid, refusedAsInvalid } from '../support/refusals.ts';

test(
  'a transfer-out needs a body',
  verifies('TRANSFER-BODY-REQUIRED', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.mustTransfer();
    const none = await agent.call('transferOut', 'a transfer-out without a body');
    const empty = await agent.call('transferOut', { raw: '', label: 'a transfer-out with an empty body' });

    // Whether a missing body is an invalid parameter, the text does not say: every refusal is right.
    await refusedAsInvalid(check, 'TRANSFER-BODY-REQUIRED', [none, empty], []);
    observe('empty-body-code', none);
  },
);

test('whether further fields are taken is left open', async ({ given, observe }) => {
  const agent = await given.agent();
  const legal = agent.transferOutBody();
  await agent.mustTransfer();
  let refused = 0;

  await explore(
    extraFields(Object.keys(legal)),
    async (extra) => {
      const answer = await agent.transferOut(extra, 'a transfer-out with a further field');
      if (answer.refused) refused += 1;
    },
    { runs: 6 },
  );
  observe('unknown-request-field', refused === 0 ? 'ignored' : 'refused');
});

for (const [end, rule, legal] of [
  ['source', 'TRANSFER-SOURCE-FORM', ({ state }: Agent) => state.sourceAccountId],
  ['destination', 'TRANSFER-DESTINATION-FORM', ({ state }: Agent) => state.destinationAccountId],
] as const)
  test(
    `every tampered id is refused as ${end}`,
    verifies(rule, 'TRANSFER-INVALID-STATUS'),
    async ({ given, check }) => {
      const agent = await given.agent();
      await agent.mustTransfer();
      await exploredAsInvalid(check, rule, wrongRecordIds(legal(agent)), ({ id, mistake }) =>
        agent.transferOut({ [end]: { accountId: id } }, `an account id with a mistake: ${mistake}`),
      );
    },
  );
