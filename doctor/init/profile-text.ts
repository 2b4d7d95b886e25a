import { stringify } from 'yaml';

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
