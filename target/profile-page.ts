import { readYaml } from '../schemas/read-yaml.ts';
import { stringify } from 'yaml';
import { DIALECT, type DialectKey } from './dialect/keys.ts';
import schema from './profile-file.schema.json' with { type: 'json' };

interface Property {
  readonly description: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly 'x-variable'?: string;
  readonly 'x-value'?: string;
  readonly 'x-default'?: string;
}

/** The part of docs/profile.md with every key. */
export function keysTable(): string {
  const rows = Object.entries(schema.properties as unknown as Readonly<Record<string, Property>>).map(
    ([key, property]) => {
      const variable = property['x-variable'];
      const names = variable?.split(', ').map((name) => `\`${name}\``);
      return `| \`${key}\` | ${valueOf(property)}${names ? ` (${names.join(', ')})` : ''} | ${property['x-default'] ?? 'none'} | ${property.description} |`;
    },
  );
  return ['| Key | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The part with every capability. */
export function capabilitiesTable(): string {
  const rows = readYaml('capabilities.yaml') as readonly { id: string; means: string }[];
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
