import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { test, verifies } from '../../suite/index.ts';
import { mustLogIn, mustStartLogin } from '../support/sca.ts';
import { mustAuthorize } from '../support/sca.ts';

/**
 * Every answer is held against its object wherever it comes up; these tests see to it that challenges come up in each of
 * their forms. They prove nothing by themselves, so they hold no check.
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
