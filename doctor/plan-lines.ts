import type { Cost } from './cost.ts';
import type { Plan } from './plan.ts';

const NAME_WIDTH = 13;
/** More orders than anybody follows at once. */
const SHOWN = 15;

/** One line of the examination. */
export function row(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${text}`;
}

/** The plan in words. @param namesRules lists the rules too */
export function planLines(plan: Plan, cost: Cost, workers: number, namesRules: boolean): string {
  const { additions, verified, applicable, beyond } = plan;
  const rules = (list: readonly string[]) => (namesRules ? [`          ${list.join(', ')}`] : []);
  return [
    '',
    `A run can verify ${verified.length} of the ${applicable} rules that apply.`,
    ...rules(verified),
    ...(additions.length > 0 ? ['What would add more:'] : []),
    ...additions
      .slice(0, SHOWN)
      .flatMap(({ order, rules: added }) => [
        `  ${`+${added.length}`.padStart(5)}  ${order}`,
        ...rules(added),
      ]),
    ...(additions.length > SHOWN
      ? [`         and ${additions.length - SHOWN} more, of ${count(additions.slice(SHOWN))} rules`]
      : []),
    ...(beyond.length > 0
      ? [`  ${beyond.length} rules depend on what the target chooses to do.`, ...rules(beyond)]
      : []),
    `It takes about ${cost.requests} requests, ${cost.customers} customers, ${cost.challenges} challenges of credentials and ${cost.messages} one-time codes;`,
    `with ${workers} workers about ${minutes(cost.minutes)}.`,
  ].join('\n');
}

function count(additions: Plan['additions']): number {
  return additions.reduce((sum, { rules }) => sum + rules.length, 0);
}

function minutes(value: number): string {
  if (value < 1.5) return `${Math.round(value * 60)} seconds`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} minutes`;
}
