import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { startSandbox } from '../../sandbox/start.ts';
import { loadContract } from '../../schemas/contract.ts';
import { recordAgents } from './agents.ts';
import { recordEvents } from './events.ts';
import { recordPlatforms } from './platforms.ts';
import { recordQuotes } from './quotes.ts';
import { Recorder } from './recorder.ts';
import { settled } from './settled.ts';
import { recordWallets } from './wallets.ts';

/**
 * Writes the examples that openapi.yaml refers to: `npm run examples`, after a change of what the sandbox answers. Every
 * example is a real request, and what the sandbox answered to it; sealed and signed texts differ each time.
 */
const HEADER = `# Requests and answers of the embedded sandbox, by operation; openapi.yaml refers to them. Written by \`npm run examples\`.
`;

const began = Date.now();
const sandbox = await startSandbox();
try {
  const recorder = new Recorder(sandbox, await loadContract('Service'));
  await recordAgents(recorder);
  await recordWallets(recorder);
  await recordQuotes(recorder);
  await recordPlatforms(recorder);
  await recordEvents(recorder);
  // Quoted, since some readers of YAML take a bare time or date for more than a text.
  const text = stringify(settled(recorder.examples, began), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
  });
  writeFileSync(fileURLToPath(new URL('../../schemas/examples.yaml', import.meta.url)), HEADER + text);
} finally {
  await sandbox.close();
}
