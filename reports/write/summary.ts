import { count, headlineOf, printable, scopeSentence } from './sentences.ts';
import type { ConformanceReport, Defect } from '../verdicts/model.ts';
import { expectedAndGot } from '../verdicts/defects.ts';
import { GUESSED, profileLines } from '../verdicts/guesses.ts';
import { applicable, partsSentence } from '../verdicts/totals.ts';

const DEFECTS_SHOWN = 25;
const ORDERS_SHOWN = 5;
const LONGEST = 200;

/** summary.md: what a chat, a pull request or a job page shows of a run. Nothing that a target says is markup in it. */
export function summaryMarkdown(report: ConformanceReport): string {
  const { target, run, totals, comparison, defects } = report;
  const must = totals.MUST;
  const where = target.embedded || target.baseUrl === '' ? '' : ` at ${text(target.baseUrl)}`;
  const change = comparison?.defects;
  const scope = scopeSentence(report);
  const shown = defects.slice(0, DEFECTS_SHOWN);
  const fresh = new Set(change?.new ?? []);
  return [
    `## ${text(target.name)}: ${headlineOf(report)}`,
    '',
    `**${report.verdict}** · ${must.verified} of ${applicable(must)} MUST rules verified, ${must.violated} violated · ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC${where}`,
    '',
    text(report.because),
    ...(scope === undefined ? [] : ['', scope]),
    ...(run.parts ? ['', text(partsSentence(run.parts))] : []),
    ...(comparison
      ? [
          '',
          `Since ${comparison.startedAt.slice(0, 10)}: ${change ? `${change.new.length} new, ${change.still.length} still failing, ${change.mended.length} mended` : `${comparison.newlyViolated.length} newly violated, ${comparison.newlyFixed.length} mended`}, ${count(comparison.noLongerVerified.length, 'rule')} no longer verified.`,
        ]
      : []),
    ...(shown.length > 0
      ? [
          '',
          '| | Defect | Rule | Expected and seen |',
          '| --- | --- | --- | --- |',
          ...shown.map((defect) => row(defect, fresh)),
        ]
      : []),
    ...(defects.length > shown.length
      ? ['', `and ${defects.length - shown.length} more in the report.`]
      : []),
    ...((change?.mended.length ?? 0) > 0
      ? ['', `Mended: ${change?.mended.map(({ rule }) => `\`${rule}\``).join(', ')}`]
      : []),
    ...(report.guesses.length > 0
      ? ['', GUESSED, '', '```yaml', ...profileLines(report.guesses), '```']
      : []),
    ...(report.open.length > 0 && run.usageError === undefined
      ? [
          '',
          '<details><summary>What would mend the open MUST rules</summary>',
          '',
          ...report.open
            .slice(0, ORDERS_SHOWN)
            .map(({ mend, rules }) => `- ${text(mend)}: ${count(rules.length, 'rule')}`),
          '',
          '</details>',
        ]
      : []),
    '',
  ].join('\n');
}

function row(defect: Defect, fresh: ReadonlySet<string>): string {
  const { expected, got } = expectedAndGot(defect.message);
  const mark = defect.known !== undefined ? 'known' : fresh.has(defect.id) ? '**new**' : '';
  const seen = got === undefined ? text(expected) : `${text(expected)} — seen: ${text(got)}`;
  return `| ${mark} | ${text(defect.title)} | \`${defect.rule}\` | ${seen} |`;
}

/** Plain text of any origin: no link, no picture, no mention of somebody, no markup. */
function text(value: string): string {
  return printable(value, LONGEST)
    .replace(/[\\`*_{}[\]|#!~$]/g, (sign) => `\\${sign}`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '@\u200b')
    .replace(/:\/\//g, ':/\u200b/');
}
