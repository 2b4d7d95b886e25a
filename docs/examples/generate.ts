import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { recordExamples } from './record.ts';

/** Writes the examples that openapi.yaml refers to: `npm run examples`, after a change of what the sandbox answers. */
const HEADER = `# Requests and answers of the embedded sandbox, by operation; openapi.yaml refers to them. Written by \`npm run examples\`.
`;

// Quoted, since some readers of YAML take a bare time or date for more than a text.
const text = stringify(await recordExamples(), {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  defaultStringType: 'QUOTE_SINGLE',
  defaultKeyType: 'PLAIN',
});
writeFileSync(fileURLToPath(new URL('../../schemas/examples.yaml', import.meta.url)), HEADER + text);
