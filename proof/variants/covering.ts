import covertable from 'covertable';
import { dialects } from '../../sandbox/variants/dialects.ts';
import { choices, randomFrom } from '../../sandbox/variants/index.ts';
import type { DialectKey } from '../../target/dialect/keys.ts';

/** Legal differences of one world, as names: `<choice>-is-<option>`, and keys of the dialect. */
export interface Seed {
  readonly number: number;
  readonly options: readonly string[];
  readonly dialects: readonly string[];
}

/** As the default world does it. */
const USUAL = '';
const OTHERWISE = 'otherwise';

interface Factor {
  readonly name: string;
  readonly isDialect: boolean;
  readonly levels: readonly string[];
}

/** Everything in which a service may differ, with the ways to do it; the usual one among them. */
export const factors: readonly Factor[] = [
  ...choices.map(({ name, options }) => ({
    name,
    isDialect: false,
    levels: [USUAL, ...Object.keys(options)],
  })),
  ...dialects.map(({ key }) => ({ name: key, isDialect: true, levels: [USUAL, OTHERWISE] })),
];

/** Worlds in which each two ways of any two differences meet at least once. The same ones each time. */
export function coveringSeeds(): readonly Seed[] {
  // The other criterion makes five rows fewer, and takes longer than to try them.
  const rows = covertable.make(
    factors.map(({ levels }) => [...levels]),
    { criterion: covertable.criteria.simple },
  ) as string[][];
  return rows.map((row, index) => seedOf(index + 1, row));
}

/** So many worlds: those that cover all pairs first, and then others drawn by lot. */
export function seeds(most: number): readonly Seed[] {
  const covering = coveringSeeds();
  const more = Array.from({ length: Math.max(0, most - covering.length) }, (_, index) =>
    drawnSeed(covering.length + index + 1),
  );
  return [...covering, ...more].slice(0, most);
}

function drawnSeed(number: number): Seed {
  const random = randomFrom(`seed ${number}`);
  return seedOf(
    number,
    factors.map(({ levels }) => levels[Math.floor(random() * levels.length)]!),
  );
}

function seedOf(number: number, row: readonly string[]): Seed {
  const taken = factors.flatMap((factor, index) =>
    row[index] === USUAL ? [] : [{ factor, level: row[index] }],
  );
  return {
    number,
    options: taken.flatMap(({ factor, level }) => (factor.isDialect ? [] : [`${factor.name}-is-${level}`])),
    dialects: taken.flatMap(({ factor }) => (factor.isDialect ? [factor.name] : [])),
  };
}

/** How many of all pairs of ways some of these worlds show. */
export function pairsIn(worlds: readonly Seed[]): { readonly shown: number; readonly all: number } {
  const rows = worlds.map(({ options, dialects: keys }) => {
    const ways = new Set([...options, ...keys]);
    return factors.map((factor) => factor.levels.findIndex((level) => ways.has(wayOf(factor, level))));
  });
  let [shown, all] = [0, 0];
  for (let a = 0; a < factors.length; a += 1)
    for (let b = a + 1; b < factors.length; b += 1) {
      // No way found is the usual one, which stands first.
      const met = new Set(rows.map((row) => `${Math.max(0, row[a]!)} ${Math.max(0, row[b]!)}`));
      shown += met.size;
      all += factors[a]!.levels.length * factors[b]!.levels.length;
    }
  return { shown, all };
}

function wayOf({ name, isDialect }: Factor, level: string): string {
  return isDialect ? (level === USUAL ? USUAL : name) : `${name}-is-${level}`;
}

/** What a profile has to say of a sandbox that does a key of the dialect otherwise (sandbox/variants/dialects). */
export const TOLD = {
  stamp: { scheme: 'ACME_P256', encoding: 'base64' },
  otpSeal: { info: 'acme one-time code', aad: 'none' },
  sessionKeySeal: { info: 'acme session key' },
  smsCode: '424242',
  oidcToken: { issuer: 'https://appleid.apple.com', audience: 'acme-app' },
  oidcNonce: 'base64url',
  passkey: { rpId: 'acme.example', origin: 'https://app.acme.example' },
  credentialBody: { EMAIL_OTP: { email: 'a@acme.example' }, SMS_OTP: { phoneNumber: '+15550100' } },
  agentToken: { header: 'x-acme-agent', value: '{token}' },
  scaProof: { field: 'otp', code: '654321' },
  paths: {
    getQuote: '/orders/{quoteId}',
    executeQuote: '/orders/{quoteId}/run',
    getMyAction: '/agents/me/history/{actionId}',
    listSessions: '/wallet-sessions',
    getTransaction: '/payments/{transactionId}',
    getExternalAccount: '/beneficiaries/{id}',
    getCustomer: '/people/{customerId}',
  },
  bodies: { createQuote: { reference: 'r' }, createAgent: { role: 'r' }, createCustomer: { region: 'US' } },
  effectSeconds: 20,
  eventSeconds: 20,
} as const satisfies Readonly<Record<DialectKey, unknown>>;
