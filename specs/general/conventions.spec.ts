import { test, verifies } from '../../suite/index.ts';

test(
  'records are named by type and uuid, and amounts are whole numbers, where no field is shown too',
  verifies('GENERAL-ID-FORM', 'GENERAL-AMOUNT-INTEGER'),
  async ({ given, need }) => {
    // Every answer is held to the conventions as it comes in: the test only has to bring some about.
    const agent = await given.agent();
    need(await agent.transferOut()).accepted();
    const accounts = await agent.call('listMyInternalAccounts', {
      label: "accounts of the agent's customer",
    });
    need(accounts).available();
    await agent.call('listMyTransactions', { label: "transactions of the agent's customer" });
  },
);
