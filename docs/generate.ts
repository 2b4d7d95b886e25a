import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ambiguitiesPage } from '../schemas/ambiguities-page.ts';
import { dialectPage } from '../target/dialect/page.ts';

/** Pages that are made from data: `npm run docs`, after every change of schemas/ambiguities.yaml or target/dialect/. */
const PAGES = { 'ambiguities.md': ambiguitiesPage, 'dialect.md': dialectPage };

for (const [name, page] of Object.entries(PAGES))
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), page());
