import { stringify } from 'yaml';
import { loadCapabilities, loadRules } from '../schemas/rules.ts';
import { DIALECT, type DialectKey } from './dialect/keys.ts';
import { servesByPublicCalls } from './providers/public-calls/public-calls.ts';
import { loadStates, type StateParam, type StateRow, type StateValue } from './states/catalogue.ts';
import schema from './profile-file.schema.json' with { type: 'json' };
import { MEASURED, rulesThatNeed } from './states/measured.ts';

const DIALECT_INTRODUCTION = `# The dialect of a target

Made from \`target/dialect/\` by \`npm run docs\`. The interface leaves things open that a client must know. How is a code sealed? In which header does an agent's token travel? What does a body hold that is not shown? For each such thing Assay
has one key. Its default is what deployments are known to do.

A target that speaks otherwise breaks nothing. Assay trusts a key when your profile says it, or when a request with it was accepted in
this run. Before that, a refusal leaves the rule open, with the words "It assumes …". Say in the profile how your service does it:

\`\`\`yaml
dialect: default # all defaults hold: a refusal is a violation
\`\`\`

\`\`\`yaml
dialect: # these hold; a success has to show the others
  agentToken: { header: x-agent-token, value: '{token}' }
  passkey: { rpId: acme.example, origin: 'https://app.acme.example' }
  paths: { getQuote: '/orders/{quoteId}' }
  bodies:
    createCustomer: { customerType: INDIVIDUAL, region: US }
\`\`\`

Fields that you set override the defaults. Assay trusts them. For each key the sandbox has a world that speaks otherwise: \`npm run sandbox -- --list-dialects\`.
`;

/** The Markdown of docs/dialect.md. */
export function dialectPage(): string {
  return [DIALECT_INTRODUCTION, ...(Object.keys(DIALECT) as DialectKey[]).map(dialectSection)].join('\n');
}

function dialectSection(key: DialectKey): string {
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

interface Property {
  readonly description: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly 'x-variable'?: string;
  readonly 'x-value'?: string;
  readonly 'x-default'?: string;
}

/** The part of docs/profile.md with every key: a list, since a table of such cells cannot be read as text. */
export function keysList(): string {
  const properties = schema.properties as unknown as Readonly<Record<string, Property>>;
  return Object.entries(properties)
    .map(([key, property]) => {
      const names = property['x-variable']?.split(', ').map((name) => `\`${name}\``);
      const variable = names ? `, or ${names.join(', ')}` : '';
      const facts = `${valueOf(property)}${variable}. Default: ${property['x-default'] ?? 'none'}.`;
      return `- **\`${key}\`**: ${facts}\\\n  ${property.description}`;
    })
    .join('\n');
}

/** The part with every capability. */
export function capabilitiesTable(): string {
  const rows = loadCapabilities();
  return [
    '| Capability | The target offers |',
    '| --- | --- |',
    ...rows.map(({ id, means }) => `| \`${id}\` | ${means} |`),
  ].join('\n');
}

/** The part with every key of the dialect; docs/dialect.md has the same at length. */
export function dialectTable(): string {
  const rows = (Object.keys(DIALECT) as DialectKey[]).map((key) => {
    const { default: byDefault, meaning } = DIALECT[key];
    const text = stringify(byDefault, { collectionStyle: 'flow', singleQuote: true, lineWidth: 0 }).trim();
    return `| [\`${key}\`](dialect.md#${key.toLowerCase()}) | \`${text}\` | ${meaning} |`;
  });
  return ['| Key | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function valueOf(property: Property): string {
  if (property['x-value'] !== undefined) return property['x-value'];
  if (property.enum) return property.enum.map((one) => `\`${one}\``).join(', ');
  return property.type === 'boolean' ? '`true`, `false`' : 'text';
}

/** The part of docs/provider-states.md that lists every state, by area. */
export function statesTables(): string {
  const areas = [...new Set(loadStates().map(({ area }) => area))];
  return areas.map(areaTable).join('\n\n');
}

/** The part of docs/provider-states.md that says which rules nobody verifies without a state. */
export function rulesTable(): string {
  const all = Object.keys(MEASURED.rules).length;
  const free = Object.values(MEASURED.rules).filter((ways) =>
    ways.some((parts) => parts.length === 0),
  ).length;
  const areaOf = new Map(loadRules().map(({ id, area }) => [id, area]));
  const rows = loadStates()
    .map(({ name }) => ({ name, rules: rulesThatNeed(name) }))
    .sort((a, b) => b.rules.length - a.rules.length)
    .map(({ name, rules }) => {
      const areas = [...new Set(rules.map((id) => areaOf.get(id) ?? ''))].sort();
      const counts = areas.map((area) => `${area} ${rules.filter((id) => areaOf.get(id) === area).length}`);
      return `| \`${name}\` | ${rules.length} | ${counts.join(', ')} |`;
    });
  return [
    `A run on the sandbox verifies ${all} rules; ${free} of them need nothing prepared. These many cannot be verified without a state. A rule that needs two states is counted with both.`,
    '',
    '| State | Rules | By area |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The part of docs/profile.md that says what public calls can verify, by area. */
export function publicCallsTable(): string {
  const rules = loadRules().filter(({ excluded }) => excluded === undefined);
  const areas = [...new Set(rules.map(({ area }) => area))];
  const rows = areas.map((area) => {
    const ids = rules.filter((rule) => rule.area === area).map(({ id }) => id);
    const shown = ids.filter((id) => MEASURED.byPublicCalls.includes(id));
    const open = ids.filter((id) => !shown.includes(id) && MEASURED.rules[id] !== undefined);
    return `| ${area} | ${shown.length} of ${ids.length} | ${statesOf(open)} |`;
  });
  return ['| Area | Rules | The others need the states |', '| --- | --- | --- |', ...rows].join('\n');
}

/** States that rules need beyond what public calls prepare. */
function statesOf(rules: readonly string[]): string {
  const missing = rules.flatMap((id) => {
    const parts = MEASURED.rules[id]?.[0] ?? [];
    const lacking = parts.filter((part) => !servesByPublicCalls(part));
    // Where nothing seems to be lacking, public calls give less than the state promises.
    return lacking.length > 0 ? lacking : parts;
  });
  const states = [...new Set(missing.map((part) => part.split('.')[0] as string))].sort();
  return states.map((state) => `\`${state}\``).join(', ') || '–';
}

function areaTable(area: string): string {
  const rows = loadStates().filter((row) => row.area === area);
  return [`### ${area}`, ...rows.map(stateEntry)].join('\n\n');
}

function stateEntry(row: StateRow): string {
  return [
    `#### \`${row.name}\``,
    '',
    `${row.means}.`,
    '',
    ...listOf('Params', params(row)),
    ...listOf('Values', values(row)),
  ].join('\n');
}

function listOf(title: string, texts: readonly string[]): readonly string[] {
  return texts.length > 1
    ? [`- ${title}:`, ...texts.map((text) => `  - ${text}`)]
    : [`- ${title}: ${texts[0] ?? 'none'}`];
}

function params({ like, own }: StateRow): readonly string[] {
  const texts = own.params.map(
    ({ name, means, default: byDefault }: StateParam) => `\`${name}\`: ${means} [${byDefault}]`,
  );
  return [...(like === undefined ? [] : [`as \`${like}\``]), ...texts];
}

function values({ like, own }: StateRow): readonly string[] {
  const texts = own.values.map(
    ({ name, optional, means, kind }: StateValue) =>
      `\`${name}${optional ? '?' : ''}\`${means === undefined ? '' : `: ${means}`}${kind === 'request' ? ' (a _request_)' : ''}`,
  );
  return [...(like === undefined ? [] : [`as \`${like}\``]), ...texts];
}
