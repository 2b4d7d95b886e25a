/**
 * Starts a script of Assay: `node start.js doctor/main.ts …`. Plain JavaScript with no options of Node, so that an old Node
 * gets as far as the sentence that refuses it.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

await import('tsx');
await import('./target/refuse-old-node.ts');

// A package that uses what Node still calls experimental is no news for whom runs this.
process.removeAllListeners('warning').on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

// Who reads the first lines alone, as `| head` does, closes the pipe.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.argv.splice(1, 2, resolve(process.argv[2]));
await import(pathToFileURL(process.argv[1]).href);
