import { expect, test, verifies, type Given, type Platform } from '../../suite/index.ts';

/** Values of the state `platform-config`: bodies of PATCH /config for a platform of its own. */
interface Config {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly variable: object;
  readonly fixed: object;
  readonly both: object;
  readonly none: object;
  readonly cardTokenization2fa: object;
}

const change = (platform: Platform, body: object, label: string) =>
  platform.call('updateConfig', { label, body });

const BODIES = [
  ['CONFIG-FEE-VARIABLE', 'variable', 'a variable fee alone', ['fixed', 'both']],
  ['CONFIG-FEE-FIXED', 'fixed', 'a fixed fee alone', ['variable', 'both']],
  ['CONFIG-FEE-BOTH', 'both', 'a variable and a fixed fee together', ['fixed', 'variable']],
  ['CONFIG-CARD-TOKENIZATION-2FA', 'cardTokenization2fa', 'cardTokenization2faConfig', ['none', 'fixed']],
] as const satisfies readonly (readonly [string, keyof Config, string, readonly (keyof Config)[]])[];

for (const [rule, name, what, others] of BODIES)
  test(
    `${what} is accepted on the platform configuration`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      const { platform, values } = await configured(given);
      let control = await change(
        platform,
        values[others[0]] as object,
        'another change of the configuration',
      );
      // The control must not stand on one other kind of configuration alone.
      if (control.exchange.response && !control.accepted)
        control = await change(
          platform,
          values[others[1]] as object,
          'yet another change of the configuration',
        );
      need(control).accepted();
      const body = need.offered(values[name] as object | undefined, `the state gives no body with ${what}`);
      const answer = await change(platform, body, `configuring ${what}`);
      await check(rule, () => expect(answer).toBeAccepted());
      observe('config-fee-shape', { [what]: body }, answer);
      const shown: unknown = answer.body;
      observe(
        'config-fields',
        typeof shown === 'object' && shown !== null ? Object.keys(shown) : 'nothing shown',
        answer,
      );
    },
  );

test('what a fee for another currency than USD gets', async ({ given, need, observe }) => {
  const { platform, values } = await configured(given);
  need(await change(platform, values.fixed, 'a fixed fee')).available();
  const text = JSON.stringify(values.fixed);
  need.offered(
    text.includes('"USD"'),
    'the body of the state names no currency, so it cannot be changed to another',
  );
  const answer = await change(
    platform,
    JSON.parse(text.replaceAll('"USD"', '"EUR"')) as object,
    'a fixed fee for EUR',
  );
  observe('config-fee-non-usd', answer);
});

/** A platform of its own, whose configuration may be changed, with bodies for it. */
async function configured(given: Given): Promise<{ platform: Platform; values: Config }> {
  const values = await given.state<Config>('platform-config', {}, ['fixed', 'none']);
  return { platform: given.ownPlatform(values), values };
}
