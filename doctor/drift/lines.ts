import type { Difference } from './drift.ts';

/** More rules than a line is read for. */
const MOST_RULES = 8;

/** The differences in words, by operation; what breaks comes first. */
export function driftLines(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'Nothing that the contract states is different.';
  const breaking = differences.filter((one) => one.isBreaking);
  return [
    ...section('A client of the contract would notice:', breaking),
    ...section(
      'Beside it, or beyond it:',
      differences.filter((one) => !one.isBreaking),
    ),
    `${breaking.length} differences that a client would notice, ${differences.length - breaking.length} others.`,
  ].join('\n');
}

function section(title: string, differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return [];
  const operations = [...new Set(differences.map((one) => one.operation))];
  return [
    title,
    ...operations.flatMap((operation) => [
      `  ${operation}`,
      ...differences.filter((one) => one.operation === operation).flatMap(lines),
    ]),
    '',
  ];
}

function lines({ field, message, rules, line }: Difference): readonly string[] {
  const where = line === undefined ? '' : ` (line ${line})`;
  const shown = rules.slice(0, MOST_RULES).join(', ');
  const more = rules.length > MOST_RULES ? ` and ${rules.length - MOST_RULES} more` : '';
  return [
    `    ${field === '' ? '' : `${field}: `}${message}${where}`,
    ...(rules.length > 0 ? [`      touches ${shown}${more}`] : []),
  ];
}
