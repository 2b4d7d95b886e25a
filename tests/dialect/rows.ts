import { TOLD } from '../../proof/variants/told.ts';

/** One thing that a service does otherwise, and what tells Assay so. */
export interface DialectRow {
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
const OTP_RULES = ['VERIFY-EMAIL-OTP-ACCEPTED', 'VERIFY-SMS-OTP-FLOW', 'OTP-SANDBOX-CODE'];

const row = (
  key: keyof typeof TOLD,
  run: readonly string[],
  assumed: readonly string[],
  more: Pick<DialectRow, 'publicCalls'> = {},
): DialectRow => ({ key, told: { [key]: TOLD[key] }, run, assumed, ...more });

/** Every key of the dialect. */
export const rows: readonly DialectRow[] = [
  row('stamp', VERIFY_OTP, OTP_RULES),
  row('otpSeal', VERIFY_OTP, OTP_RULES),
  row('smsCode', VERIFY_OTP, ['VERIFY-SMS-OTP-FLOW']),
  row('sessionKeySeal', ['specs/credentials/sessions.spec.ts'], ['SESSION-KEY-SEALED-TO-CLIENT']),
  row('oidcToken', ['specs/credentials/registration-first.spec.ts'], ['CREDENTIAL-CREATE-OAUTH']),
  row('oidcNonce', ['specs/credentials/verify-oauth.spec.ts'], ['VERIFY-OAUTH-ACCEPTED']),
  row('passkey', ['specs/credentials/registration-first.spec.ts'], ['CREDENTIAL-CREATE-PASSKEY']),
  row(
    'credentialBody',
    ['specs/credentials/registration-first.spec.ts'],
    ['CREDENTIAL-CREATE-EMAIL-OTP', 'CREDENTIAL-CREATE-SMS-OTP'],
  ),
  row('agentToken', ['specs/agents/acceptance.spec.ts'], ['TRANSFER-ACCEPTED']),
  row('scaProof', ['specs/sca/loop.spec.ts'], ['SCA-AUTHORIZE-ACCEPTED']),
  row('paths', ['specs/quotes/execution.spec.ts', 'specs/quotes/read-only.spec.ts'], []),
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
