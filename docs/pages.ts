import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { performanceTable } from '../bench/measured.ts';
import { readYaml } from '../schemas/read-yaml.ts';
import {
  capabilitiesTable,
  dialectPage,
  dialectTable,
  keysList,
  publicCallsTable,
  rulesTable,
  statesTables,
} from '../target/doc-pages.ts';
import { importsPicture } from './imports.ts';

/** Pages that are made from data, whole. */
export const PAGES = { 'ambiguities.md': ambiguitiesPage, 'dialect.md': dialectPage };

/** Parts of guides that are made from data, between `<!-- name -->` and `<!-- end of name -->`. */
export const PARTS: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'architecture.md': { imports: importsPicture },
  'performance.md': { table: performanceTable },
  'profile.md': {
    keys: keysList,
    capabilities: capabilitiesTable,
    dialect: dialectTable,
    'public calls': publicCallsTable,
  },
  'provider-states.md': { states: statesTables, rules: rulesTable },
};

/**
 * A guide with its parts made anew, in the form that Prettier gives it.
 *
 * @throws Error where the guide has no place for one of them
 */
export async function withParts(guide: string): Promise<string> {
  let text = readFileSync(fileURLToPath(new URL(guide, import.meta.url)), 'utf8');
  for (const [name, part] of Object.entries(PARTS[guide] ?? {})) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(begin);
    const [, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`docs/${guide} has no place ${begin}`);
    text = `${before}${begin}\n\n${await part()}\n\n${end}${after}`;
  }
  return format(text, { parser: 'markdown', printWidth: 110, singleQuote: true, proseWrap: 'preserve' });
}

interface Ambiguity {
  readonly id: string;
  readonly section: string;
  readonly sentences: readonly string[];
  readonly readings: readonly string[];
  readonly accepted: string;
}

const INTRODUCTION = `# Where the interface can be read in two ways

Made from \`schemas/ambiguities.yaml\` by \`npm run docs\`. For each place: what the interface says, how it can be read, and what Assay does
there. In doubt a target is not accused.
`;

/** The Markdown of docs/ambiguities.md. */
function ambiguitiesPage(): string {
  const rows = readYaml('ambiguities.yaml') as Ambiguity[];
  const sections = [...new Set(rows.map((row) => row.section))];
  return [
    INTRODUCTION,
    ...sections.flatMap((section) => [
      `## ${section}\n`,
      ...rows.filter((row) => row.section === section).map(entry),
    ]),
  ].join('\n');
}

function entry({ id, sentences, readings, accepted }: Ambiguity): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item.trim()}`).join('\n');
  return `### ${id}\n\nThe interface says:\n\n${list(sentences)}\n\nReadings:\n\n${list(readings)}\n\n**What Assay does:** ${accepted.trim()}\n`;
}
