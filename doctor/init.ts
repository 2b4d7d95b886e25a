import '../target/refuse-old-node.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { baseUrlOf, checkedStatesUrl } from '../target/environment-variables.ts';
import { readProfileFile, type ProfileFile } from '../target/profile-file.ts';
import { declared, refuseHarm } from '../target/safety.ts';
import { UsageError } from '../target/usage-error.ts';
import { command } from './command.ts';

interface InitQuestion {
  readonly flag: string;
  /** How the option's value is written in the usage. */
  readonly value: string;
  readonly meaning: string;
  /** Nothing is asked where an option alone answers it. */
  readonly question?: string;
}

/** What matters of every target; the rest has defaults (docs/profile.md). */
const QUESTIONS: readonly InitQuestion[] = [
  {
    flag: 'base-url',
    value: 'URL',
    meaning: "the service's address, version date included",
    question: 'Address of the service, with the version date at its end (https://host/path/2025-10-13)?',
  },
  {
    flag: 'environment',
    value: 'sandbox',
    meaning: 'declares that it is a sandbox',
    question:
      'Assay creates customers and moves money. Is this a sandbox? Write "sandbox" if so (not needed on your own machine).',
  },
  {
    flag: 'sandbox-host',
    value: 'HOST',
    meaning: 'its host, where that looks like production and is a sandbox all the same',
  },
  {
    flag: 'name',
    value: 'TEXT',
    meaning: 'how reports call it',
    question: 'How shall reports call it (empty: by its host)?',
  },
  {
    flag: 'brand',
    value: 'WORD',
    meaning: 'the word in names such as Service-Wallet-Signature',
    question: 'Which word stands in the place of "Service" in Service-Wallet-Signature (empty: Service)?',
  },
  {
    flag: 'states-url',
    value: 'URL',
    meaning: 'its provider-states URL, where there is one',
    question: 'Its provider-states URL (empty: situations are prepared by public calls)?',
  },
  {
    flag: 'without',
    value: 'NAMES',
    meaning: 'capabilities that it does not offer, with commas',
    question:
      'What does it not offer, with commas (such as cards, stablecoins; docs/profile.md lists them; empty: it offers all)?',
  },
  {
    flag: 'clock',
    value: 'WHOSE',
    meaning: 'whose time its state clock moves: customer, target, none',
    question: 'Can its clock be moved: customer (for one alone), target (for all), none (empty: target)?',
  },
  {
    flag: 'pace',
    value: 'NUMBER',
    meaning: 'most requests per second',
    question: 'Most requests per second that it takes (empty: no bound)?',
  },
];

/** Answers by the name of the option. */
type Answers = Readonly<Record<string, string | undefined>>;

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
  const schema = fileURLToPath(new URL('../target/profile-file.schema.json', import.meta.url));
  refuseAddress(answers);
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
      const answer =
        typeof flagged === 'string' ? flagged : question && (await terminal?.question(`${question}\n> `));
      if (answer !== undefined && answer.trim() !== '') answers[flag] = answer.trim();
      // Told now, before the other questions are answered.
      if (asks && flag === 'sandbox-host') refuseAddress(answers);
    }
  } finally {
    terminal?.close();
  }
  return answers;
}

/** @throws UsageError for an address that a run would refuse */
function refuseAddress(answers: Answers): void {
  const { environment, 'base-url': given, 'states-url': states, 'sandbox-host': sandboxHost } = answers;
  if (given === undefined)
    throw new UsageError("The service's address is missing: --base-url https://host/path/2025-10-13");
  const baseUrl = baseUrlOf({ BASE_URL: given }, {});
  if (baseUrl === undefined) return;
  const statesUrl = checkedStatesUrl(states, '--states-url');
  const clientId = process.env['CLIENT_ID'] ?? '';
  try {
    refuseHarm(
      declared(
        process.env,
        { ...(environment && { environment }), ...(sandboxHost && { sandboxHost }) } as ProfileFile,
        { baseUrl, statesUrl, clientId },
      ),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} Here: --environment sandbox, --sandbox-host HOST.`);
  }
}

/**
 * The text of a profile.
 *
 * @param schema path of the profile's JSON Schema, seen from the file
 */
function profileText(answers: Answers, schema: string): string {
  const { pace, without } = answers;
  const profile = {
    name: answers['name'],
    baseUrl: answers['base-url'],
    environment: answers['environment'],
    sandboxHost: answers['sandbox-host'],
    brand: answers['brand'],
    providerStatesUrl: answers['states-url'],
    without: without
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    clock: answers['clock'],
    // What is no number is told as a mistake of its line.
    pace: pace === undefined || Number.isNaN(Number(pace)) ? pace : Number(pace),
  };
  const said = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# Every key: docs/profile.md. Secrets come from CLIENT_ID, CLIENT_SECRET and PROVIDER_STATES_TOKEN.',
    stringify(said, { singleQuote: true }),
  ].join('\n');
}
