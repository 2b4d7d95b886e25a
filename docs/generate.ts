import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ambiguitiesPage } from '../schemas/ambiguities-page.ts';
import { dialectPage } from '../target/doc-pages.ts';
import { PARTS, withParts } from './parts.ts';

/**
 * Pages, and parts of pages, that are made from data: `npm run docs`, after every change of schemas/ambiguities.yaml,
 * target/dialect/, target/profile-file.schema.json or target/states/, and of what a folder imports.
 */
const PAGES = { 'ambiguities.md': ambiguitiesPage, 'dialect.md': dialectPage };

const write = (name: string, text: string) =>
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), text);
for (const [name, page] of Object.entries(PAGES)) write(name, page());
for (const guide of Object.keys(PARTS)) write(guide, await withParts(guide));
