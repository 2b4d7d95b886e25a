import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { performanceTable } from '../bench/measured.ts';
import { importsPicture } from './imports.ts';
import {
  capabilitiesTable,
  dialectTable,
  keysTable,
  publicCallsTable,
  rulesTable,
  statesTables,
} from '../target/doc-pages.ts';

/** Parts of guides that are made from data, between `<!-- name -->` and `<!-- end of name -->`. */
export const PARTS: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'architecture.md': { imports: importsPicture },
  'performance.md': { table: performanceTable },
  'profile.md': {
    keys: keysTable,
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
