import {
  expect,
  sendRequest,
  test,
  verifies,
  type Answer,
  type Given,
  type StateRequest,
} from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';
import { expectError } from '../support/refusals.ts';

// ---------------------------------------------------------------------------------------------- configuration

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

const BODIES = [
  ['CONFIG-FEE-VARIABLE', 'variable', 'a variable fee alone', ['fixed', 'both']],
  ['CONFIG-FEE-FIXED', 'fixed', 'a fixed fee alone', ['variable', 'both']],
  ['CONFIG-FEE-BOTH', 'both', 'a variable and a fixed fee together', ['fixed', 'variable']],
  ['CONFIG-CARD-TOKENIZATION-2FA', 'cardTokenization2fa', 'cardTokenization2faConfig', ['none', 'fixed']],
] as const;

for (const [rule, name, what, [other, another]] of BODIES)
  test(
    `${what} is accepted on the platform configuration`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      const { values, change } = await configured(given);
      const control = await change(values[other], 'another change of the configuration');
      // The control must not stand on one other kind of configuration alone.
      need(
        control.exchange.response && !control.accepted
          ? await change(values[another], 'yet another change of the configuration')
          : control,
      ).accepted();
      const body = need.offered(values[name] as object | undefined, `the state gives no body with ${what}`);
      const key = name === 'cardTokenization2fa' ? what : 'feeConfigs';
      need.offered(JSON.stringify(body).includes(`"${key}"`), `the state's body for ${what} has no ${key}`);
      const answer = await change(body, `configuring ${what}`);
      await check(rule, () => expect(answer).toBeAccepted());
      observe('config-fee-shape', { [what]: body }, answer);
      const shown: unknown = answer.body;
      const isShown = typeof shown === 'object' && shown !== null;
      observe('config-fields', isShown ? Object.keys(shown) : 'nothing shown', answer);
    },
  );

test('what a fee for another currency than USD gets', async ({ given, need, observe }) => {
  const { values, change } = await configured(given);
  need(await change(values.fixed, 'a fixed fee')).available();
  const text = JSON.stringify(values.fixed);
  need.offered(
    text.includes('"USD"'),
    'the body of the state names no currency, so it cannot be changed to another',
  );
  const inEuro = JSON.parse(text.replaceAll('"USD"', '"EUR"')) as object;
  observe('config-fee-non-usd', await change(inEuro, 'a fixed fee for EUR'));
});

/** A platform of its own, whose configuration may be changed, with bodies for it. */
async function configured(given: Given) {
  const values = await given.state<Config>('platform-config', {}, ['fixed', 'none']);
  const platform = given.ownPlatform(values);
  const change = (body: object, label: string) => platform.call('updateConfig', { label, body });
  return { values, change };
}

// ---------------------------------------------------------------------------------------------- cards

interface Cardholder {
  readonly issue: StateRequest;
}

const KYC_CODE = 'CARDHOLDER_KYC_NOT_APPROVED';

for (const kyc of ['PENDING', 'REJECTED', 'APPROVED']) {
  const isApproved = kyc === 'APPROVED';
  const rule = isApproved ? 'CARD-KYC-APPROVED' : 'CARD-KYC-REQUIRED';
  test(
    `a card for a cardholder whose KYC is ${kyc} is ${isApproved ? 'not refused for it' : 'refused'}`,
    verifies(rule),
    async ({ given, need, check, platform, observe }) => {
      const issueFor = async (status: string) => {
        const { issue } = await given.state<Cardholder>('card', { kyc: status }, ['issue']);
        const answer = await sendRequest(platform, issue, `a card for a cardholder whose KYC is ${status}`);
        return { issue, answer };
      };
      if (!isApproved) need((await issueFor('APPROVED')).answer).available();
      const { issue, answer } = await issueFor(kyc);
      if (!isApproved) {
        await check(rule, () => expectError(answer, 400, KYC_CODE));
        const again = await sendRequest(platform, issue, `the card for a KYC of ${kyc}, once more`);
        await check(rule, () => expectError(again, 400, KYC_CODE));
        return;
      }
      // Refused for something else, it shows nothing about the KYC.
      if (answer.exchange.response && answer.code !== KYC_CODE && !answer.isFault) need(answer).available();
      await check(rule, () => expect(answer).toBeAccepted());
      const request = `${issue.method} ${issue.path}`;
      const about = { request, status: answer.outcome, shown: fieldsOf(answer) };
      observe('card-issuance-operation', about, answer);
    },
  );
}

// ---------------------------------------------------------------------------------------------- exchange rates

interface Rate {
  readonly read: StateRequest;
}

const PAIR = { sourceCurrency: 'USD', destinationCurrency: 'EUR' };
const READING = 'reading an exchange rate';

test(
  'two reads of a rate close together are equal',
  verifies('RATES-CACHED'),
  async ({ given, need, check, platform, observe }) => {
    const { read } = await given.state<Rate>('exchange-rate', PAIR, ['read']);
    const look = () => sendRequest(platform, read, READING);
    const looks = async () => [await look(), await look(), await look()] as const;
    let answers = await looks();
    need(answers[0]).available();
    need.offered(ratesIn(answers[0]), 'no rate could be recognised in the answer');
    // The cache may have ended in between. It does not end twice within a moment.
    if (new Set(answers.map(ratesIn)).size > 1) answers = await looks();
    const [first, ...others] = answers;
    for (const other of others)
      await check('RATES-CACHED', () => expect(ratesIn(other), 'the rate read again').toBe(ratesIn(first)), [
        first,
        other,
      ]);
    const rate = Object.keys(everyObjectIn(first).at(-1) ?? {});
    const about = { request: `${read.method} ${read.path}`, shown: fieldsOf(first), rate };
    observe('exchange-rate-operation', about, first);
    // The market has no customer whose time alone could be moved: what the answer tells is taken.
    const fields = everyObjectIn(first).flatMap((one) => Object.entries(one));
    const until = fields.find(([name]) => /expires|validUntil/i.test(name))?.[1];
    const end = typeof until === 'string' ? Date.parse(until) : Number.NaN;
    const minutes = Math.ceil(Math.round((end - first.exchange.at) / 1_000) / 60);
    const holds = Number.isNaN(minutes) ? 'not told' : `at most ${minutes} minutes`;
    observe('exchange-rate-cache-time', holds, first);
  },
);

/**
 * The rates in an answer of unknown shape, in whatever order: a number or text of numbers in a field that is called so.
 *
 * @returns an empty text where there are none
 */
function ratesIn(answer: Answer): string {
  const isNumber = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^[\d.]+$/.test(value));
  return everyObjectIn(answer)
    .flatMap((one) => Object.entries(one))
    .filter(([name, value]) => /rate$/i.test(name) && isNumber(value))
    .map(([, value]) => String(value))
    .sort()
    .join(', ');
}
