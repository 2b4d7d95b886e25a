import { loadRules } from '../../schemas/rules.ts';
import { loadStates, type StateParam, type StateRow, type StateValue } from './catalogue.ts';
import { MEASURED, rulesThatNeed } from './measured.ts';

/** The part of docs/provider-states.md that lists every state, by area. */
export function statesTables(): string {
  const areas = [...new Set(loadStates().map(({ area }) => area))];
  return areas.map(areaTable).join('\n\n');
}

/** The part of docs/provider-states.md that says which rules nobody verifies without a state. */
export function rulesTable(): string {
  const all = Object.keys(MEASURED.rules).length;
  const free = Object.values(MEASURED.rules).filter((ways) =>
    ways.some((parts) => parts.length === 0),
  ).length;
  const rows = loadStates()
    .map(({ name }) => ({ name, rules: inOrder(rulesThatNeed(name)) }))
    .sort((a, b) => b.rules.length - a.rules.length)
    .map(
      ({ name, rules }) =>
        `| \`${name}\` | ${rules.length} | ${rules.map((id) => `\`${id}\``).join(', ') || '–'} |`,
    );
  return [
    `A run on the sandbox verifies ${all} rules; ${free} of them need nothing prepared. A rule that needs two states stands in both rows.`,
    '',
    '| State | Rules | Which nobody can verify without it |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function areaTable(area: string): string {
  const rows = loadStates().filter((row) => row.area === area);
  return [
    `### ${area}`,
    '',
    '| State | What is there afterwards | Params | Values |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| \`${row.name}\` | ${row.means} | ${params(row)} | ${values(row)} |`),
  ].join('\n');
}

function params({ like, own }: StateRow): string {
  const texts = own.params.map(
    ({ name, means, default: byDefault }: StateParam) => `\`${name}\`: ${means} [${byDefault}]`,
  );
  return [...(like === undefined ? [] : [`as \`${like}\``]), ...texts].join(' · ') || '–';
}

function values({ like, own }: StateRow): string {
  const texts = own.values.map(
    ({ name, optional, means, kind }: StateValue) =>
      `\`${name}${optional ? '?' : ''}\`${means === undefined ? '' : `: ${means}`}${kind === 'request' ? ' (a _request_)' : ''}`,
  );
  return [...(like === undefined ? [] : [`as \`${like}\``]), ...texts].join(' · ') || '`{}`';
}

function inOrder(rules: readonly string[]): readonly string[] {
  return loadRules()
    .map(({ id }) => id)
    .filter((id) => rules.includes(id));
}
