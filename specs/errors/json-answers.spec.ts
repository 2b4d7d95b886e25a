import { test, verifies } from '../../suite/index.ts';

test('successes and refusals are JSON', verifies('GENERAL-RESPONSES-JSON'), async ({ given, need }) => {
  const agent = await given.agent();
  // Every answer is held against JSON and its shape as it comes in: the test only has to bring both kinds about.
  need(await agent.transferOut()).accepted();
  await agent.transferOut({ source: undefined }, { label: 'a refused transfer-out' });
  await agent.call('transferOut', { raw: '{', label: 'a body that is not JSON' });
});
