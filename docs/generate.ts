import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ambiguitiesPage } from '../schemas/ambiguities-page.ts';

/** Writes the pages that are made from data: `npm run docs`, after every change of schemas/ambiguities.yaml. */
writeFileSync(fileURLToPath(new URL('ambiguities.md', import.meta.url)), ambiguitiesPage());
