import { randomUUID } from 'node:crypto';
import { expect, test, verifies } from '../../suite/index.ts';
import { goneAsFarAsCan, mustWait } from '../support/sca.ts';

const IN_TEN_YEARS = 10 * 365 * 24 * 3_600_000;

test(
  'a scaChallenge that the caller sends is not taken',
  verifies('QUOTE-SCA-CHALLENGE-READ-ONLY'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ factor: 'SMS_OTP' });
    await mustWait(need, customer, 'a quote without a challenge of ours');
    const scaChallenge = {
      id: `ScaChallenge:${randomUUID()}`,
      expiresAt: new Date(Date.now() + IN_TEN_YEARS).toISOString(),
      factor: 'SMS_OTP',
      availableFactors: ['SMS_OTP'],
    };
    const answer = await customer.create({ scaChallenge }, { label: 'a quote with a challenge of ours' });
    observe('sca-challenge-sent', answer.outcome, answer);
    // What cannot be written may also be refused.
    const seen = answer.accepted ? await goneAsFarAsCan(need, customer, answer) : undefined;
    if (seen) need.that(seen.quote.scaChallenge, 'the quote shows no challenge');
    await check(
      'QUOTE-SCA-CHALLENGE-READ-ONLY',
      () => {
        if (!seen) expect(answer).toBeRefused();
        expect(seen?.quote.scaChallenge?.id).not.toBe(scaChallenge.id);
        expect(seen?.quote.scaChallenge?.expiresAt).not.toBe(scaChallenge.expiresAt);
      },
      [answer],
    );
  },
);
