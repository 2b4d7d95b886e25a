/** `npm run accept`: writes the list of rules that a target cannot show, from the last run's report. */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readAccepted } from '../target/rule-list.ts';
import { UsageError } from '../target/usage-error.ts';
import { acceptList, type AcceptList } from './accept-list.ts';
import { reportAt } from './baseline.ts';
import type { ConformanceReport } from './model.ts';
import { count, printable } from './sentences.ts';
import { reportDir } from './folder.ts';

const HELP = `npm run accept -- [--report <folder or file>] [--out <file>]

Writes every MUST rule that the last run left open into a list for ACCEPTED. Read it before you use it: each rule in it may
stay open from then on.

  --report  folder or conformance.json of the run. Default: REPORT_DIR, else reports/out
  --out     the list. Default: ACCEPTED, else accepted.yaml in this folder
`;

try {
  const {
    report: source = reportDir(),
    out = process.env['ACCEPTED']?.trim() || 'accepted.yaml',
    help,
  } = options();
  if (help) process.stdout.write(HELP);
  else accept(judgedReport(source), out);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(printable(error.message));
  process.exitCode = 2;
}

function options(): { report?: string | undefined; out?: string | undefined; help?: boolean | undefined } {
  try {
    return parseArgs({
      options: { report: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split('\n')[0]?.split('. ')[0]}; --help lists the options.`,
    );
  }
}

/** The report of a run that says enough about the target to accept what it left open. */
function judgedReport(source: string): ConformanceReport {
  const { report, file } = reportAt(source);
  if (report.run.partial || report.run.unfinished)
    throw new UsageError(
      `${file} is about a part of the suite: run all of it, then accept what is left open.`,
    );
  if (report.verdict === 'violated')
    throw new UsageError(
      `${file} shows violations: mend them or list them in KNOWN_FAILURES, then run again.`,
    );
  if (report.verdict === 'not judged')
    throw new UsageError(`The run of ${file} was not judged, so there is nothing to accept: run again.`);
  return report;
}

function accept(report: ConformanceReport, out: string): void {
  const before = readAccepted(existsSync(out) ? out : undefined);
  const list = acceptList(report, before);
  if (list.added.length + list.kept.length + list.dropped.length === 0) {
    if (list.momentary.length > 0) throw new UsageError(`Nothing is accepted: ${momentaryText(list)}`);
    console.log('There is nothing to accept: every MUST rule that applies was judged.');
    return;
  }
  try {
    writeFileSync(out, list.text);
  } catch {
    throw new UsageError(`${out} cannot be written: name another file with --out.`);
  }
  console.log(printable(`${out}: ${summary(list)}`));
  for (const [what, ids] of [
    ['added', list.added],
    ['dropped', list.dropped],
  ] as const)
    if (ids.length > 0) console.log(`${what}: ${ids.join(', ')}`);
  if (list.momentary.length > 0) console.log(`Not accepted: ${momentaryText(list)}`);
}

function summary({ added, kept, dropped }: AcceptList): string {
  return `${count(added.length, 'rule')} added, ${kept.length} kept, ${dropped.length} dropped. Read its reasons, and point ACCEPTED to it.`;
}

function momentaryText({ momentary }: AcceptList): string {
  return `${count(momentary.length, 'rule')} met trouble of the moment or did not run, run again (${momentary.join(', ')}).`;
}
