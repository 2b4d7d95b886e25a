import { loadRules } from '../../schemas/rules.ts';
import { loadStates, type StateParam, type StateRow, type StateValue } from './catalogue.ts';
import { servesByPublicCalls } from '../providers/public-calls/public-calls.ts';
import { isWithin, MEASURED, rulesThatNeed } from './measured.ts';

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

/** The part of docs/profile.md that says what public calls can verify, by area. */
export function publicCallsTable(): string {
  const rules = loadRules().filter(({ excluded }) => excluded === undefined);
  const areas = [...new Set(rules.map(({ area }) => area))];
  const rows = areas.map((area) => {
    const ids = rules.filter((rule) => rule.area === area).map(({ id }) => id);
    const shown = ids.filter((id) => isWithin(id, servesByPublicCalls));
    const open = ids.filter((id) => !shown.includes(id) && MEASURED.rules[id] !== undefined);
    return `| ${area} | ${shown.length} of ${ids.length} | ${statesOf(open)} |`;
  });
  return ['| Area | Rules | The others need the states |', '| --- | --- | --- |', ...rows].join('\n');
}

/** States that rules need beyond what public calls prepare. */
function statesOf(rules: readonly string[]): string {
  const missing = rules
    .flatMap((id) => MEASURED.rules[id]?.[0] ?? [])
    .filter((part) => !servesByPublicCalls(part));
  const states = [...new Set(missing.map((part) => part.split('.')[0] as string))].sort();
  return states.map((state) => `\`${state}\``).join(', ') || '–';
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
