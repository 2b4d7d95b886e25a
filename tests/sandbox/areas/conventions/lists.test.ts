import { expect, test } from '../../support/test.ts';

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('pages of a list follow each other and hold every row once', async ({ caller }) => {
  const world = caller.in('world.pages');
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await world.platform('POST', '/customers', {})).body.id);
  const seen: string[] = [];
  let cursor: string | undefined;
  const lengths = [];
  do {
    const { body } = await world.platform('GET', `/customers?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    expect(body).toMatchObject({ totalCount: 5, hasMore: body.nextCursor !== undefined });
    lengths.push(body.data.length);
    seen.push(...ids(body));
    cursor = body.nextCursor as string | undefined;
  } while (cursor !== undefined && lengths.length < 9);
  expect(lengths).toEqual([2, 2, 1]);
  expect(seen).toEqual(made);
  expect((await world.platform('GET', '/customers')).body).toMatchObject({ hasMore: false, totalCount: 5 });
});

for (const query of ['limit=0', 'limit=101', 'limit=ten', 'cursor=', 'cursor=%21', 'cursor=bm9wZQ']) {
  test(`a list with ${query} is refused`, async ({ caller }) => {
    const answer = await caller.platform('GET', `/customers?${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
}

test('filters leave what they name, and nothing else', async ({ caller }) => {
  const world = caller.in('world.filters');
  const one = await world.platform('POST', '/customers', { platformCustomerId: 'one' });
  const two = await world.platform('POST', '/customers', {
    platformCustomerId: 'two',
    customerType: 'BUSINESS',
  });
  const found = async (path: string) => (await world.platform('GET', path)).body;
  expect(ids(await found('/customers?platformCustomerId=one'))).toEqual([one.body.id]);
  expect(ids(await found('/customers?customerType=BUSINESS'))).toEqual([two.body.id]);
  expect(ids(await found('/customers?platformCustomerId=nobody'))).toEqual([]);
  const wallets = await found(`/customers/internal-accounts?type=EMBEDDED_WALLET&customerId=${one.body.id}`);
  expect(wallets).toMatchObject({ totalCount: 1, data: [{ type: 'EMBEDDED_WALLET' }] });
  const agent = await world.state('agent', { approvalThreshold: 50 });
  const waiting = await world.transfer(agent, { amount: 60 });
  await world.transfer(agent, { amount: 40 });
  const actions = await world.agent(agent, 'GET', '/agents/me/actions?status=PENDING_APPROVAL');
  expect(ids(actions.body)).toEqual([waiting.body.id]);
  expect((await found(`/agents?customerId=${agent.customerId}`)).data).toHaveLength(1);
});
