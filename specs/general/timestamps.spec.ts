import { test, verifies } from '../../suite/index.ts';

test('timestamps are given in UTC', verifies('GENERAL-TIMESTAMP-UTC'), async ({ given, need }) => {
  const agent = await given.agent();
  // Every documented timestamp is held against UTC as its answer comes in: the test only has to bring one about.
  need(await agent.transferOut()).accepted();
  const customer = await given.customer();
  const quote = await customer.create();
  need(quote).accepted();
});
