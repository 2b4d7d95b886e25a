import { stringify } from 'yaml';
import { DIALECT, type DialectKey } from './keys.ts';

const INTRODUCTION = `# The dialect of a target

Made from \`target/dialect/\` by \`npm run docs\`. The interface leaves things open that a client has to know or choose all the same: how
a code is sealed, in which header an agent's token travels, what a body holds that is not shown. For each such thing Assay
has one key with a default, which is what deployments are known to do.

A target that speaks otherwise breaks nothing. While neither the profile nor anything that was accepted in this run has shown that
it speaks a key, a refusal of a request that stands on it leaves the rule open, with the words "It assumes …". Say in the profile
how your service does it:

\`\`\`yaml
dialect: default # all defaults hold: a refusal is a violation
\`\`\`

\`\`\`yaml
dialect: # these hold; of the others a success has to show that they do
  agentToken: { header: x-agent-token, value: '{token}' }
  passkey: { rpId: acme.example, origin: 'https://app.acme.example' }
  paths: { getQuote: '/orders/{quoteId}' }
  bodies:
    createCustomer: { customerType: INDIVIDUAL, region: US }
\`\`\`

What is said of an entry replaces those of its fields alone; the others keep their defaults. What is said is taken for true.
The sandbox that Assay ships has a world for each key in which it speaks otherwise: \`npm run sandbox -- --list-dialects\`.
`;

/** The Markdown of docs/dialect.md. */
export function dialectPage(): string {
  return [INTRODUCTION, ...(Object.keys(DIALECT) as DialectKey[]).map(section)].join('\n');
}

function section(key: DialectKey): string {
  const { default: byDefault, meaning, silent, onlyTold } = DIALECT[key];
  const rules = RULES_ON[key].map((rule) => `\`${rule}\``).join(', ');
  const more = onlyTold
    ? '\nOne success shows nothing about the next: only the profile can vouch for this key.\n'
    : '';
  return `## ${key}\n\n${meaning}\n\n\`\`\`yaml\n${stringify({ [key]: byDefault }, { singleQuote: true }).trim()}\n\`\`\`\n\nWhere the interface is silent: ${silent}.\n${more}\nRules that stand on it: ${rules}.\n`;
}

const ONE_TIME_CODES = ['VERIFY-EMAIL-OTP-ACCEPTED', 'VERIFY-SMS-OTP-FLOW', 'OTP-SANDBOX-CODE'];
const FIRST_CREDENTIALS = ['CREDENTIAL-FURTHER-CREATED'];

/**
 * Rules whose request stands on each key: while nobody has shown that the target speaks it, a refusal leaves them open. For
 * an entry of many parts: the rules of the parts that rules stand on.
 */
export const RULES_ON: Readonly<Record<DialectKey, readonly string[]>> = {
  agentToken: ['TRANSFER-ACCEPTED'],
  stamp: [
    ...ONE_TIME_CODES,
    ...FIRST_CREDENTIALS,
    'SESSION-KEY-SIGNS',
    'SESSION-REAUTHENTICATE-OAUTH',
    'SESSION-REAUTHENTICATE-PASSKEY',
  ],
  otpSeal: ONE_TIME_CODES,
  sessionKeySeal: ['SESSION-KEY-SEALED-TO-CLIENT', 'SESSION-KEY-SIGNS'],
  smsCode: ['VERIFY-SMS-OTP-FLOW'],
  scaProof: ['SCA-AUTHORIZE-ACCEPTED'],
  oidcToken: [...FIRST_CREDENTIALS, 'CREDENTIAL-CREATE-OAUTH', 'VERIFY-OAUTH-ACCEPTED'],
  oidcNonce: ['VERIFY-OAUTH-ACCEPTED'],
  passkey: [...FIRST_CREDENTIALS, 'CREDENTIAL-CREATE-PASSKEY', 'VERIFY-PASSKEY-ACCEPTED'],
  credentialBody: [
    ...FIRST_CREDENTIALS,
    'CREDENTIAL-CREATE-EMAIL-OTP',
    'CREDENTIAL-CREATE-SMS-OTP',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'CREDENTIAL-SMS-OTP-DUPLICATE',
  ],
  paths: ['RETRY-SESSION-REFRESH', 'RETRY-SESSION-REVOKE', 'RETRY-WALLET-EXPORT', 'RETRY-WALLET-PRIVACY'],
  bodies: ['QUOTE-CREATE-ACCEPTED', 'RETRY-SESSION-REFRESH', 'RETRY-WALLET-EXPORT', 'RETRY-WALLET-PRIVACY'],
  effectSeconds: ['ACTION-APPROVE-BEGINS-EXECUTION', 'ACTION-EXECUTION-FAILURE'],
  eventSeconds: ['EVENT-ACCOUNT-ACTIVE', 'EVENT-ACCOUNT-UNVERIFIED'],
};
