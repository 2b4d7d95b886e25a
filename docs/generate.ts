import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PAGES, PARTS, withParts } from './pages.ts';

/**
 * Pages, and parts of pages, that are made from data: `npm run docs`, after every change of schemas/ambiguities.yaml,
 * target/dialect/, target/profile-file.schema.json or target/states/, and of what a folder imports.
 */
const write = (name: string, text: string) =>
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), text);
for (const [name, page] of Object.entries(PAGES)) write(name, page());
for (const guide of Object.keys(PARTS)) write(guide, await withParts(guide));
