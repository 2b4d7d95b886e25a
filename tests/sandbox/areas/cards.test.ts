import { Service, expect, test, type Caller } from '../support/test.ts';

async function holder(caller: Caller, balance: number) {
  const at = await Service.at(caller, 'card', {});
  const { customerId, sourceAccountId } = at.values;
  const { body } = await at.send('POST', '/cards', { cardholderId: customerId });
  const path = `/sandbox/cards/${body.id}/simulate`;
  // What the state put in beyond this goes to a first payment.
  const rest = (await at.balance()) - balance;
  expect((await at.send('POST', `${path}/authorization`, { amount: rest })).status).toBe(201);
  return {
    at,
    sourceAccountId,
    authorize: (amount: number) => at.send('POST', `${path}/authorization`, { amount }),
    step: (name: string, cardTransactionId: string) =>
      at.send('POST', `${path}/${name}`, { cardTransactionId }),
  };
}

test('a card holds, takes and gives back the money of its account', async ({ caller }) => {
  const card = await holder(caller, 1_000);
  const { body } = await card.authorize(601);
  expect(await card.at.balance()).toBe(399);
  expect((await card.authorize(400)).body).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  for (const step of ['partial-settlement', 'settlement'])
    expect((await card.step(step, body.id)).status).toBe(200);
  expect(await card.at.balance()).toBe(399);
  expect((await card.step('refund', body.id)).body.status).toBe('REFUNDED');
  expect(await card.at.balance()).toBe(1_000);
  expect((await card.step('settlement', body.id)).status).toBe(409);
  expect((await card.at.send('GET', `/transactions/${body.id}`)).body).toMatchObject({
    id: body.id,
    type: 'CARD',
    status: 'REFUNDED',
  });
});
