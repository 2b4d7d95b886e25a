import { stringify } from 'yaml';
import { isMomentary } from './mend.ts';
import type { ConformanceReport, RuleReport } from './model.ts';
import { isOpen, shownAs } from './totals.ts';

/** A new list of accepted rules, and how it differs from the one before. Rule ids. */
export interface AcceptList {
  /** YAML, with its comments. */
  readonly text: string;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  /** Open over an accident of this run: not accepted. */
  readonly momentary: readonly string[];
}

/**
 * Lists every MUST rule that a run left open, with its reason, grouped by what would mend it.
 *
 * @param before the list so far: reasons that somebody has written stay, for rules that are still open
 */
export function acceptList(report: ConformanceReport, before: ReadonlyMap<string, string>): AcceptList {
  const open = report.rules.filter(
    (rule) => rule.level === 'MUST' && (isOpen(rule) || shownAs(rule) === 'accepted'),
  );
  const listed = (rule: RuleReport) => before.has(rule.id);
  const momentary = open.filter((rule) => !listed(rule) && isMomentary(rule.mend ?? ''));
  const rows = open.filter((rule) => !momentary.includes(rule));
  const ids = (rules: readonly RuleReport[]) => rules.map((rule) => rule.id);
  return {
    text: header(report) + body(rows, before),
    added: ids(rows.filter((rule) => !listed(rule))),
    kept: ids(rows.filter(listed)),
    dropped: [...before.keys()].filter((id) => !rows.some((rule) => rule.id === id)),
    momentary: ids(momentary),
  };
}

function header({ target, run }: ConformanceReport): string {
  const address = target.embedded ? '' : ` at ${target.baseUrl}`;
  return comment(
    `MUST rules that ${target.name}${address} cannot show, as of ${run.startedAt.slice(0, 10)}. They may stay open without making a run incomplete.`,
  );
}

function body(rules: readonly RuleReport[], before: ReadonlyMap<string, string>): string {
  if (rules.length === 0) return '[]\n';
  const groups = new Map<string, RuleReport[]>();
  for (const rule of rules) groups.set(rule.mend ?? '', [...(groups.get(rule.mend ?? '') ?? []), rule]);
  return [...groups]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([mend, group]) => {
      const rows = group.map(({ id, accepted, reason }) => ({
        rule: id,
        reason: before.get(id) ?? accepted ?? reason ?? 'no reason was given.',
      }));
      return `\n${comment(`To mend it: ${mend}`)}${stringify(rows, { lineWidth: 0 })}`;
    })
    .join('');
}

function comment(text: string): string {
  return `# ${text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')}\n`;
}
