import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { TOLD } from '../../proof/variants/covering.ts';
import { GUESSED } from '../../reports/verdicts/guesses.ts';
import { dialects } from '../../sandbox/variants/dialects.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import { RULES_ON } from '../../target/doc-pages.ts';
import { DAILY, runAssay, scratchFile, type Outcome } from '../support/run-assay.ts';
import { spawnSandbox, type SandboxProcess } from '../support/sandbox-process.ts';

/** One thing that a service does otherwise, and what tells Assay so. */
interface DialectRow {
  /** Key of the dialect, and of the sandbox's world; `all` for every one at once. */
  readonly key: string;
  /** What the profile says. */
  readonly told: Readonly<Record<string, unknown>>;
  /** Arguments of the run: specs that stand on the key, and a filter where few of their tests do. */
  readonly run: readonly string[];
  /** Rules that are left open because of the key, and say so. Empty where a target only seems to offer less. */
  readonly assumed: readonly string[];
  /** Prepares with the service's own endpoints: the bodies are Assay's then, and not the state's. */
  readonly publicCalls?: true;
}

const VERIFY_OTP = ['specs/credentials/verify-otp.spec.ts'];
const FIRST_CREDENTIAL = ['specs/credentials/registration.spec.ts', '-g', 'CREDENTIAL-FIRST-CREATED'];
const OTP_RULES = ['VERIFY-EMAIL-OTP-ACCEPTED', 'VERIFY-SMS-OTP-FLOW'];

const row = (
  key: keyof typeof TOLD,
  run: readonly string[],
  assumed: readonly string[],
  more: Pick<DialectRow, 'publicCalls'> = {},
): DialectRow => ({ key, told: { [key]: TOLD[key] }, run, assumed, ...more });

/** Every key of the dialect. */
const rows: readonly DialectRow[] = [
  row('stamp', VERIFY_OTP, OTP_RULES),
  row('otpSeal', VERIFY_OTP, OTP_RULES),
  row('smsCode', VERIFY_OTP, ['VERIFY-SMS-OTP-FLOW']),
  row('sessionKeySeal', ['specs/credentials/sessions.spec.ts'], ['SESSION-KEY-SEALED-TO-CLIENT']),
  row('oidcToken', FIRST_CREDENTIAL, ['CREDENTIAL-CREATE-OAUTH']),
  row('oidcNonce', ['specs/credentials/verify-in-one-call.spec.ts'], ['VERIFY-OAUTH-ACCEPTED']),
  row('passkey', FIRST_CREDENTIAL, ['CREDENTIAL-CREATE-PASSKEY']),
  row('credentialBody', FIRST_CREDENTIAL, ['CREDENTIAL-CREATE-EMAIL-OTP', 'CREDENTIAL-CREATE-SMS-OTP']),
  row('agentToken', ['specs/agents/acceptance.spec.ts'], ['TRANSFER-ACCEPTED']),
  row('scaProof', ['specs/sca/challenges.spec.ts'], ['SCA-AUTHORIZE-ACCEPTED']),
  row('paths', ['specs/quotes/execution.spec.ts', 'specs/sca/authorization.spec.ts'], []),
  row('bodies', ['specs/quotes/creation.spec.ts', 'specs/agents/acceptance.spec.ts'], [], {
    publicCalls: true,
  }),
  row(
    'effectSeconds',
    ['specs/agents/approval.spec.ts', '-g', 'ACTION-APPROVE-BEGINS-EXECUTION'],
    ['ACTION-APPROVE-BEGINS-EXECUTION'],
  ),
  row(
    'eventSeconds',
    ['specs/events/external-accounts.spec.ts', '-g', 'EVENT-ACCOUNT-ACTIVE'],
    ['EVENT-ACCOUNT-ACTIVE'],
  ),
  {
    key: 'all',
    told: TOLD,
    run: [...VERIFY_OTP, 'specs/agents/acceptance.spec.ts'],
    assumed: ['TRANSFER-ACCEPTED'],
  },
];

let service: SandboxProcess;
test.beforeAll(async () => {
  service = await spawnSandbox();
});
test.afterAll(() => service[Symbol.asyncDispose]());

/** The real suite on the service in one of its worlds. @param dialect of the profile; undefined says nothing */
function run({ run: args, publicCalls }: DialectRow, world: string, dialect: unknown): Promise<Outcome> {
  const profile = scratchFile(
    'profile.yaml',
    stringify({ clock: 'customer', ...(dialect === undefined ? {} : { dialect }) }),
  );
  return runAssay(
    {
      BASE_URL: `${service.origin}/${world}/2025-10-13`,
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: 'sandbox-secret',
      PROFILE: profile,
      ...(publicCalls ? {} : { PROVIDER_STATES_URL: `${service.origin}/${world}/provider-states` }),
    },
    args,
  );
}

function rulesOf({ report }: Outcome, verdict: string): readonly string[] {
  return (report?.rules ?? []).filter((rule) => rule.verdict === verdict).map(({ id }) => id);
}

/** Rules that were left open with the words of a guess. */
function assumedIn({ report }: Outcome, key: string): readonly string[] {
  return (report?.rules ?? [])
    .filter(({ verdict, reason }) => verdict === 'inconclusive' && reason?.includes(`\`${key}`))
    .map(({ id }) => id);
}

const usual = new Map<string, Promise<Outcome>>();

/** The same run on a service that speaks the defaults, and says so. */
function asUsual(row: DialectRow): Promise<Outcome> {
  const name = JSON.stringify([row.run, row.publicCalls]);
  let outcome = usual.get(name);
  if (!outcome) usual.set(name, (outcome = run(row, `world.usual-${usual.size}`, 'default')));
  return outcome;
}

for (const row of rows)
  test(
    `${row.key}: untold nobody is accused, told as much is verified as by default`,
    row.key === 'agentToken' ? DAILY : {},
    async () => {
      // Three runs of the suite, on a machine that may be busy.
      test.setTimeout(600_000);
      const world = `dialect.${row.key}`;
      const untold = await run(row, world, undefined);
      expect(rulesOf(untold, 'violated'), untold.output).toEqual([]);
      expect(untold.code, untold.output).toBe(2);
      expect(untold.report?.verdict).toBe('incomplete');
      const named = row.key === 'all' ? 'agentToken' : row.key;
      const assumed = assumedIn(untold, named);
      expect(assumed).toEqual(expect.arrayContaining([...row.assumed]));
      if (row.assumed.length > 0) {
        expect(untold.report?.guesses.map(({ key }) => key.split('.')[0])).toContain(named);
        expect(untold.output).toContain(GUESSED);
      }
      expect(RULES_ON[named as keyof typeof RULES_ON]).toEqual(expect.arrayContaining([...assumed]));

      const told = await run(row, world, row.told);
      const byDefault = await asUsual(row);
      const shown = rulesOf(untold, 'verified');
      expect(rulesOf(byDefault, 'verified').filter((rule) => !shown.includes(rule))).not.toEqual([]);
      expect(rulesOf(told, 'verified')).toEqual(rulesOf(byDefault, 'verified'));
      expect(told.code, told.output).toBe(byDefault.code);
    },
  );

test('every key of the dialect has a world that does it otherwise, and a row here', DAILY, () => {
  const keys = Object.keys(DIALECT).sort();
  expect(dialects.map(({ key }) => key).sort()).toEqual(keys);
  expect([...rows.map(({ key }) => key)].sort()).toEqual(['all', ...keys].sort());
});
