import { readYaml } from './read-yaml.ts';

interface Ambiguity {
  readonly id: string;
  readonly section: string;
  readonly sentences: readonly string[];
  readonly readings: readonly string[];
  readonly accepted: string;
}

const INTRODUCTION = `# Where the interface can be read in two ways

Made from \`schemas/ambiguities.yaml\` by \`npm run docs\`. For each place: what the interface says, how it can be read, and what Assay does
there. In doubt a target is not accused.
`;

/** The Markdown of docs/ambiguities.md. */
export function ambiguitiesPage(): string {
  const rows = readYaml('ambiguities.yaml') as Ambiguity[];
  const sections = [...new Set(rows.map((row) => row.section))];
  return [
    INTRODUCTION,
    ...sections.flatMap((section) => [
      `## ${section}\n`,
      ...rows.filter((row) => row.section === section).map(entry),
    ]),
  ].join('\n');
}

function entry({ id, sentences, readings, accepted }: Ambiguity): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item.trim()}`).join('\n');
  return `### ${id}\n\nThe interface says:\n\n${list(sentences)}\n\nReadings:\n\n${list(readings)}\n\n**What Assay does:** ${accepted.trim()}\n`;
}
