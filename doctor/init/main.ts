import '../../target/refuse-old-node.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readProfileFile } from '../../target/profile-file.ts';
import { UsageError } from '../../target/usage-error.ts';
import { command } from '../command.ts';
import { type Answers, QUESTIONS, profileText } from './questions.ts';

const USAGE = `Usage: npm run init -- [options]
Asks the few questions that matter and writes a profile. In scripts the options answer them.
${QUESTIONS.map(({ flag, value, meaning }) => `  --${`${flag} ${value}`.padEnd(28)}${meaning}`).join('\n')}
  --out FILE                    the profile to write (default: assay.yaml)
  --force                       replaces a file that is there
  --yes                         asks nothing: what no option answers stays out
  --help                        this text`;

await command(USAGE, async (print) => {
  const flags = Object.fromEntries(QUESTIONS.map(({ flag }) => [flag, { type: 'string' as const }]));
  const { values } = parseArgs({
    options: { ...flags, out: { type: 'string' }, force: { type: 'boolean' }, yes: { type: 'boolean' } },
  });
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  const out = resolve(String(given['out'] ?? 'assay.yaml'));
  if (existsSync(out) && given['force'] !== true)
    throw new UsageError(
      `${out} is there already: choose another file with --out, or replace it with --force.`,
    );
  const asks = given['yes'] !== true && process.stdin.isTTY;
  const answers = await collect(given, asks);
  if (answers['base-url'] === undefined)
    throw new UsageError("The service's address is missing: --base-url https://host/path/2025-10-13");
  const schema = fileURLToPath(new URL('../../target/profile-file.schema.json', import.meta.url));
  writeFileSync(out, profileText(answers, relative(dirname(out), schema)));
  // What was written has to be read: a mistake in an answer shows now, with its line.
  readProfileFile(out);
  print(
    `${out} is written. Next:\n  PROFILE=${relative(process.cwd(), out)} CLIENT_ID=… CLIENT_SECRET=… npm run doctor`,
  );
  return 0;
});

async function collect(
  given: Readonly<Record<string, string | boolean | undefined>>,
  asks: boolean,
): Promise<Answers> {
  const answers: Record<string, string> = {};
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  try {
    for (const { flag, question } of QUESTIONS) {
      const flagged = given[flag];
      const answer = typeof flagged === 'string' ? flagged : await terminal?.question(`${question}\n> `);
      if (answer !== undefined && answer.trim() !== '') answers[flag] = answer.trim();
    }
  } finally {
    terminal?.close();
  }
  return answers;
}
