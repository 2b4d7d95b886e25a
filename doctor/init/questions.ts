import { stringify } from 'yaml';

/** One question of `npm run init`. */
export interface InitQuestion {
  readonly flag: string;
  /** How the option's value is written in the usage. */
  readonly value: string;
  readonly meaning: string;
  readonly question: string;
}

/** What matters of every target; the rest has defaults (docs/profile.md). */
export const QUESTIONS: readonly InitQuestion[] = [
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
export type Answers = Readonly<Record<string, string | undefined>>;

/**
 * The text of a profile.
 *
 * @param schema path of the profile's JSON Schema, seen from the file
 */
export function profileText(answers: Answers, schema: string): string {
  const { pace, without } = answers;
  const profile = {
    name: answers['name'],
    baseUrl: answers['base-url'],
    environment: answers['environment'],
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
