import { expect, test, verifies, type SeenQuote } from '../../suite/index.ts';
import { mustQuote } from '../support/quotes.ts';

/** Two fixed fees that a platform may have configured, in the smallest unit of the sending currency. */
const FEES = [250, 400] as const;
const NOT_SENT = 'the quotes came without platformFeesIncluded, which older payloads may leave out';

for (const platformFee of [0, FEES[0]])
  test(
    `a quote from USD may override a configured platform fee of ${platformFee}`,
    verifies('QUOTE-FEE-OVERRIDE-ACCEPTED'),
    async ({ given, check, need, observe }) => {
      const customer = await given.configuredPlatform({ platformFee });
      need(await customer.create({}, { label: 'a quote without a platformFeeOverride' })).accepted();
      const { feeOverride: platformFeeOverride } = customer.state;
      const answer = await customer.create(
        { platformFeeOverride },
        { label: 'a quote with a platformFeeOverride' },
      );
      await check('QUOTE-FEE-OVERRIDE-ACCEPTED', () => expect(answer).toBeAccepted());
      if (answer.exchange.response && answer.accepted)
        observe('quote-fee-override-body', platformFeeOverride, answer);
    },
  );

test(
  'an override stands in for the configured fee, whatever that is',
  verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check, need }) => {
    const fees: { plain: SeenQuote; overridden: SeenQuote; override: string }[] = [];
    for (const platformFee of FEES) {
      const customer = await given.configuredPlatform({ platformFee });
      const { feeOverride: platformFeeOverride } = customer.state;
      const plain = await mustQuote(need, customer, {}, 'a quote without a platformFeeOverride');
      const overridden = await mustQuote(
        need,
        customer,
        { platformFeeOverride },
        'a quote with a platformFeeOverride',
      );
      fees.push({
        plain: plain.quote,
        overridden: overridden.quote,
        override: JSON.stringify(platformFeeOverride),
      });
    }
    const sent = fees.every(({ plain, overridden }) =>
      [plain, overridden].every((one) => one.platformFeesIncluded !== undefined),
    );
    need.offered(sent, NOT_SENT);
    need.that(
      fees[0]?.plain.platformFeesIncluded !== fees[1]?.plain.platformFeesIncluded,
      'the two configured fees make no difference, so an override cannot be told from them',
    );
    await check('QUOTE-FEE-OVERRIDE-APPLIED', () => {
      for (const { plain, overridden } of fees)
        expect(overridden.platformFeesIncluded).not.toBe(plain.platformFeesIncluded);
      // A state may choose the override by the configured fee.
      if (fees[0]?.override === fees[1]?.override)
        expect(fees[0]?.overridden.platformFeesIncluded, 'with either fee configured').toBe(
          fees[1]?.overridden.platformFeesIncluded,
        );
    });
  },
);

test(
  'an override holds for its own quote and for no other',
  verifies('QUOTE-FEE-OVERRIDE-APPLIED'),
  async ({ given, check, need }) => {
    const customer = await given.configuredPlatform({ platformFee: FEES[0] });
    const { feeOverride: platformFeeOverride } = customer.state;
    const before = await mustQuote(need, customer, {}, 'a quote before the override');
    await mustQuote(need, customer, { platformFeeOverride }, 'a quote with a platformFeeOverride');
    const after = await mustQuote(need, customer, {}, 'a quote after the override');
    need.offered(before.quote.platformFeesIncluded !== undefined, NOT_SENT);
    await check('QUOTE-FEE-OVERRIDE-APPLIED', () =>
      expect(after.quote.platformFeesIncluded).toBe(before.quote.platformFeesIncluded),
    );
  },
);
