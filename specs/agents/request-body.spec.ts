import { extraFields } from '../../generators/json.ts';
import { oneMistakes, type OneMistake } from '../../generators/mistakes.ts';
import { expect, explore, test, verifies } from '../../suite/index.ts';
import { notAccepted, refusedAsInvalid } from '../support/refusals.ts';

/** The rule that each single mistake breaks, by the field it is made in; mistakes that no rule speaks of stand not here. */
const RULES: readonly (readonly [rule: string, of: (one: OneMistake) => boolean])[] = [
  ['TRANSFER-SOURCE-REQUIRED', ({ field, mistake }) => field === 'source' && mistake === 'missing'],
  [
    'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    ({ field, mistake }) => field === 'source.accountId' && mistake === 'missing',
  ],
  ['TRANSFER-DESTINATION-REQUIRED', ({ field, mistake }) => field === 'destination' && mistake === 'missing'],
  [
    'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    ({ field, mistake }) => field === 'destination.accountId' && mistake === 'missing',
  ],
  [
    'TRANSFER-REFERENCE-TYPES',
    ({ field, mistake }) => /^(source|destination)(\.accountId)?$/.test(field) && mistake !== 'missing',
  ],
  ['TRANSFER-RAIL-UNKNOWN', ({ field }) => field === 'destination.paymentRail'],
  ['TRANSFER-AMOUNT-TEXT', ({ field }) => field === 'amount'],
  ['TRANSFER-REMITTANCE-TYPE', ({ field }) => field === 'remittanceInformation'],
  ['TRANSFER-PURPOSE-UNKNOWN', ({ field }) => field === 'purposeOfPayment'],
];

for (const [rule, of] of RULES)
  test(`one mistake is enough to be refused: ${rule}`, verifies(rule), async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer();

    await check(rule, () =>
      explore(
        oneMistakes('TransferOutRequest', agent.transferOutBody(), of),
        async ({ body, field, mistake }) =>
          notAccepted(await agent.call('transferOut', { body, label: `${field}: ${mistake}` })),
        { runs: 12 },
      ),
    );
  });

test(
  'whatever the one mistake is, the refusal is a 400',
  verifies('TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer();

    await check('TRANSFER-INVALID-STATUS', () =>
      explore(
        oneMistakes('TransferOutRequest', agent.transferOutBody()),
        async ({ body, field, mistake }) => {
          const answer = await agent.call('transferOut', { body, label: `${field}: ${mistake}` });
          // That it is refused at all is the rule of the field.
          if (!answer.accepted) expect(answer).toHaveHttpStatus(400);
        },
      ),
    );
  },
);

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
