import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { expect, test, verifies } from '../../suite/index.ts';
import { mustAuthorize, mustLogIn, mustStartLogin, mustWait } from '../support/sca.ts';

/**
 * Every answer is held against its object wherever it comes up: the tests of these shapes see to it that challenges come up
 * in each of their forms. They prove nothing by themselves, so they hold no check.
 */
const OF_QUOTES = shapeRules('Quote').filter((id) => ruleOf(id).area === 'sca');
const OF_LOGINS = shapeRules('ScaChallenge');
const PASSKEY_ONLY = ['SCA-PASSKEY-OPTIONS', 'SCA-PASSKEY-ORIGINS'];

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `the challenges of a quote for ${factor}`,
    verifies(...OF_QUOTES.filter((id) => factor === 'PASSKEY' || !PASSKEY_ONLY.includes(id))),
    async ({ given, need }) => {
      await mustAuthorize(need, await given.scaCustomer({ factor, challenges: 3 }));
    },
  );

test(
  'the challenge of a quote where several factors may be used',
  verifies(...OF_QUOTES.filter((id) => !PASSKEY_ONLY.includes(id))),
  async ({ given, need }) => {
    await mustAuthorize(need, await given.scaCustomer({ availableFactors: ['SMS_OTP', 'PASSKEY'] }));
  },
);

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `the challenge of a login by ${factor}, and its end`,
    verifies(
      ...OF_LOGINS.filter((id) => factor === 'PASSKEY' || !PASSKEY_ONLY.includes(id)),
      ...shapeRules('ScaLoginCompletion'),
    ),
    async ({ given, need }) => {
      const customer = await given.scaCustomer({ factor });
      await mustStartLogin(need, customer, factor);
      await mustLogIn(need, customer, factor);
    },
  );

test(
  'a challenge is issued for SMS_OTP where nothing else was asked for',
  verifies('SCA-FACTOR-DEFAULT'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ availableFactors: ['PASSKEY', 'SMS_OTP'] });
    const { challenge } = await mustWait(need, customer);
    need.offered(challenge.availableFactors?.includes('SMS_OTP'), 'the customer cannot use SMS_OTP');
    await check('SCA-FACTOR-DEFAULT', () => expect(challenge.factor).toBe('SMS_OTP'));
  },
);

test(
  'the assertion over the options of a challenge authorizes it',
  verifies('SCA-PASSKEY-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    await mustAuthorize(need, await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' }));
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    const { quote, challenge } = await mustWait(need, customer);
    need.offered(challenge.factor === 'PASSKEY', 'the challenge was not issued for a passkey');
    const answer = need.offered(
      await customer.prove(quote.id, challenge, { label: 'authorizing by a passkey' }),
      'the options of the challenge could not be read, or no passkey was prepared',
    );
    // How the result of the ceremony is written is not shown.
    await check('SCA-PASSKEY-ACCEPTED', () => expect(answer).toBeAccepted(), {
      assumes: ['bodies.authorizeQuote'],
    });
    observe('sca-authorization-fields', ['origin', 'passkeyAssertion'], answer);
  },
);

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `a challenge for ${factor} is for a factor that the customer may use`,
    verifies('SCA-FACTOR-AVAILABLE'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ factor });
      const { challenge } = await mustWait(need, customer);
      await check('SCA-FACTOR-AVAILABLE', () =>
        expect(challenge.availableFactors ?? []).toContain(challenge.factor),
      );
    },
  );
