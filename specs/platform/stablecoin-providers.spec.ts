import { expect, test, verifies } from '../../suite/index.ts';
import { issuer, register } from '../support/platform.ts';

for (const [link, rule, code] of [
  ['INVALID', 'STABLECOIN-PROVIDER-ACCOUNT-INVALID', 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
  ['REVOKED', 'STABLECOIN-PROVIDER-ACCOUNT-REVOKED', 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED'],
] as const)
  test(
    `a provider account link that is ${link === 'INVALID' ? 'not usable' : 'revoked'} is refused`,
    verifies(rule),
    async ({ given, need, check }) => {
      // A platform of its own for each: that the same coin can be registered twice is nowhere said.
      const links = { providerAccounts: ['ACTIVE', link] };
      const control = await issuer(given, links);
      const [active] = control.values.providerAccountIds;
      need(
        await register(control.platform, control.values, 'registering with an active link', active),
      ).accepted();
      const { platform, values } = await issuer(given, links);
      const answer = await register(
        platform,
        values,
        `registering with a link that is ${link}`,
        need.that(values.providerAccountIds[1], 'the state gives one link only'),
      );
      await check(rule, () => {
        expect(answer).toBeRefused(400);
        expect(answer).toHaveCode(code);
      });
    },
  );

test(
  'with several active links one has to be named',
  verifies('STABLECOIN-PROVIDER-ACCOUNT-SELECTION'),
  async ({ given, need, check }) => {
    const single = await issuer(given, { providerAccounts: ['ACTIVE'] });
    need(
      await register(single.platform, single.values, 'registering with the only link, unnamed'),
    ).accepted();
    const { platform, values } = await issuer(given, { providerAccounts: ['ACTIVE', 'ACTIVE'] });
    const answer = await register(platform, values, 'registering with several links and none named');
    await check('STABLECOIN-PROVIDER-ACCOUNT-SELECTION', () => {
      expect(answer).toBeRefused(400);
      expect(answer).toHaveCode('STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED');
    });
  },
);

test(
  'with several active links the named one is taken',
  verifies('STABLECOIN-PROVIDER-ACCOUNT-SELECTED'),
  async ({ given, need, check }) => {
    const single = await issuer(given, { providerAccounts: ['ACTIVE'] });
    need(
      await register(single.platform, single.values, 'registering with the only link, unnamed'),
    ).accepted();
    for (const which of [0, 1]) {
      const { platform, values } = await issuer(given, { providerAccounts: ['ACTIVE', 'ACTIVE'] });
      const id = need.that(values.providerAccountIds[which], 'the state gives one link only');
      const answer = await register(platform, values, 'registering with several links and one named', id);
      await check('STABLECOIN-PROVIDER-ACCOUNT-SELECTED', () => expect(answer).toBeAccepted());
    }
  },
);

test(
  'an unknown provider account is not found',
  verifies('STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN'),
  async ({ given, need, check }) => {
    const control = await issuer(given);
    need(
      await register(
        control.platform,
        control.values,
        'registering with a known link',
        control.values.providerAccountIds[0],
      ),
    ).accepted();
    const { platform, values } = await issuer(given);
    const unknown = need.offered(
      values.unknownProviderAccountId,
      'the state gives no unknown provider account',
    );
    const answer = await register(platform, values, 'registering with an unknown link', unknown);
    await check('STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN', () => {
      expect(answer).toBeRefused(404);
      expect(answer).toHaveCode('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND');
    });
  },
);
