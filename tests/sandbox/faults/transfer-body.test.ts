import { type Prepared, expect, test, transferBody } from '../support/test.ts';

const uuid = (id: string) => id.slice(id.indexOf(':') + 1);
const to = (agent: Prepared, paymentRail: string) => ({
  destination: { accountId: agent.destinationAccountId, paymentRail },
});

/** Bodies that the default world refuses and the named fault accepts. */
const accepted: readonly (readonly [fault: string, body: (agent: Prepared) => object])[] = [
  ['missing-source-takes-first-account', (agent) => transferBody(agent, { source: undefined })],
  ['missing-source-id-takes-first-account', (agent) => transferBody(agent, { source: {} })],
  ['missing-destination-takes-first-account', (agent) => transferBody(agent, { destination: undefined })],
  ['missing-destination-id-takes-first-account', (agent) => transferBody(agent, { destination: {} })],
  [
    'source-type-ignored',
    (agent) => transferBody(agent, { source: { accountId: agent.destinationAccountId } }),
  ],
  [
    'source-type-ignored',
    (agent) => transferBody(agent, { source: { accountId: uuid(agent.sourceAccountId) } }),
  ],
  [
    'destination-type-ignored',
    (agent) => transferBody(agent, { destination: { accountId: agent.sourceAccountId } }),
  ],
  ['source-as-text-accepted', (agent) => transferBody(agent, { source: agent.sourceAccountId })],
  [
    'account-id-in-a-list-accepted',
    (agent) => transferBody(agent, { destination: { accountId: [agent.destinationAccountId] } }),
  ],
  [
    'remittance-limit-one-too-high',
    (agent) => transferBody(agent, { remittanceInformation: 'x'.repeat(81) }),
  ],
  ['remittance-cut-at-the-limit', (agent) => transferBody(agent, { remittanceInformation: 'x'.repeat(500) })],
  ['remittance-as-number-accepted', (agent) => transferBody(agent, { remittanceInformation: 7 })],
  ['unknown-purpose-accepted', (agent) => transferBody(agent, { purposeOfPayment: 'FUN' })],
  ['unsupported-rail-accepted', (agent) => transferBody(agent, to(agent, 'PIX'))],
  ['unknown-rail-accepted', (agent) => transferBody(agent, to(agent, 'TELEX'))],
  ['lower-case-rail-accepted', (agent) => transferBody(agent, to(agent, 'ach'))],
  ['fraction-rounded', (agent) => transferBody(agent, { amount: 1.5 })],
  ['amount-as-text-accepted', (agent) => transferBody(agent, { amount: '100' })],
  ['amount-as-boolean-accepted', (agent) => transferBody(agent, { amount: true })],
  ['negative-amount-pulls-money', (agent) => transferBody(agent, { amount: -100 })],
  ['negative-amount-loses-its-sign', (agent) => transferBody(agent, { amount: -100 })],
];

for (const [index, [fault, body]] of accepted.entries()) {
  test(`${fault} accepts what is refused otherwise (${index}), and the plain transfer too`, async ({
    caller,
  }) => {
    const sound = await caller.state('agent');
    const refused = await caller.agent(sound, 'POST', '/agents/me/transfer-out', body(sound));
    expect(refused.status, refused.text).toBe(400);
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent');
    const answer = await faulty.agent(agent, 'POST', '/agents/me/transfer-out', body(agent));
    expect(answer.status, answer.text).toBe(201);
    expect((await faulty.transfer(agent)).status).toBe(201);
  });
}

/** Bodies that the default world accepts and the named fault refuses. */
const refused: readonly (readonly [fault: string, changes: (agent: Prepared) => object])[] = [
  ['remittance-limit-one-too-low', () => ({ remittanceInformation: 'x'.repeat(80) })],
  ['remittance-letters-only', () => ({ remittanceInformation: 'Invoice #7, paid!' })],
  ['purpose-self-refused', () => ({ purposeOfPayment: 'SELF' })],
  ['last-purpose-unknown', () => ({ purposeOfPayment: 'OTHER' })],
  ['only-default-rail-accepted', (agent) => to(agent, 'WIRE')],
  ['last-supported-rail-refused', (agent) => to(agent, 'FEDNOW')],
  ['remittance-required', () => ({})],
  ['purpose-always-required', () => ({})],
  ['rail-required', () => ({})],
  ['idempotency-key-required', () => ({})],
];

for (const [fault, changes] of refused) {
  test(`${fault} refuses what is accepted otherwise`, async ({ caller }) => {
    const sound = await caller.state('agent');
    expect((await caller.transfer(sound, changes(sound))).status).toBe(201);
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent');
    expect((await faulty.transfer(agent, changes(agent))).status).toBe(400);
  });
}

for (const [fault, amount] of [
  ['amount-beyond-int64-wrapped', '9223372036854775908'],
  ['amount-beyond-int64-clipped', '9223372036854775808'],
] as const) {
  test(`${fault} accepts ${amount}`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
    const body = JSON.stringify(transferBody(agent, { amount: 4711 })).replace('4711', amount);
    const answer = await faulty.agent(agent, 'POST', '/agents/me/transfer-out', body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text).not.toContain(amount);
  });
}

for (const fault of ['amount-read-as-double', 'amount-shown-as-double']) {
  test(`${fault} loses the last digit of a large amount`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
    const body = JSON.stringify(transferBody(agent, { amount: 4711 })).replace('4711', '9007199254740993');
    const answer = await faulty.agent(agent, 'POST', '/agents/me/transfer-out', body);
    expect(answer.text).toContain('"amount":9007199254740992,');
  });
}
