/** `npm run known`, and `npm run accept` with `--open`: writes the list of what a target may do, from the last run's report. */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readKnownList } from '../../target/known-list.ts';
import { UsageError } from '../../target/usage-error.ts';
import { reportAt } from '../folder/baseline.ts';
import { reportDir } from '../folder/folder.ts';
import { listBreaches, listOpen } from './list.ts';
import type { ConformanceReport } from '../verdicts/model.ts';
import { count, printable } from '../write/sentences.ts';

/** A breach is looked at again after so long, unless it says otherwise. */
const DAYS = 30;
const HELP = `npm run known -- [--reason <text>] [--owner <text>] [--link <address>] [--until <YYYY-MM-DD>] [--report …] [--out …]
npm run known -- --open [--report …] [--out …]          (or: npm run accept)

Writes every breach that the last run saw into a list, one row for each place and each thing that was seen there; with
--open, every MUST rule that it left open. Rows that still hold stay as they are, the others leave, and rows of the other
kind stay. Read the list before you use it.

  --reason  why it may be red for a while. Default: a sentence that asks for one
  --owner   who acts
  --link    where it is followed, such as a ticket
  --until   last day on which it is accepted. Default: ${DAYS} days after the run
  --open    MUST rules that the target cannot show, in place of breaches
  --report  folder or conformance.json of the run. Default: REPORT_DIR, else reports/out
  --out     the list. Default: KNOWN_FAILURES, else known-failures.yaml; with --open ACCEPTED, else accepted.yaml
`;

try {
  const { help, open = false, ...given } = options();
  if (help) process.stdout.write(HELP);
  else write(open, given);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(printable(error.message));
  process.exitCode = 2;
}

function options() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      options: {
        ...{ reason: text, owner: text, link: text, until: text, report: text, out: text },
        ...{ open: flag, help: { ...flag, short: 'h' } },
      },
    }).values;
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split('\n')[0]?.split('. ')[0]}; --help lists the options.`,
    );
  }
}

function write(open: boolean, given: Omit<ReturnType<typeof options>, 'open' | 'help'>): void {
  const setting = open ? 'ACCEPTED' : 'KNOWN_FAILURES';
  const named = (name: string) => process.env[name]?.trim();
  const out = given.out ?? (named(setting) || (open ? 'accepted.yaml' : 'known-failures.yaml'));
  const report = judged(given.report ?? reportDir(), open);
  // What a row is that does not say it is said by the setting that names the file.
  const other = open ? 'KNOWN_FAILURES' : 'ACCEPTED';
  const before = readKnownList(existsSync(out) ? out : undefined, out === named(other) ? other : setting);
  const list = open ? listOpen(report, before) : listBreaches(report, before, newRows(report, given));
  const { added, kept, dropped, expired, momentary } = list;
  const notListed = `${count(momentary.length, 'rule')} met trouble of the moment or did not run, run again (${momentary.join(', ')}).`;
  if (added.length + kept.length + dropped.length + expired.length === 0) {
    if (momentary.length > 0) throw new UsageError(`Nothing is accepted: ${notListed}`);
    console.log(
      open
        ? 'There is nothing to accept: every MUST rule that applies was judged.'
        : 'There is nothing to list: the run saw no breach.',
    );
    return;
  }
  try {
    writeFileSync(out, list.text);
  } catch {
    throw new UsageError(`${out} cannot be written: name another file with --out.`);
  }
  const lines = [
    `${out}: ${added.length} added, ${kept.length} kept, ${dropped.length} dropped. Read its reasons, and point ${setting} to it.`,
    ...(added.length > 0 ? [`added: ${added.join(', ')}`] : []),
    ...(dropped.length > 0 ? [`dropped: ${dropped.join(', ')}`] : []),
    ...(expired.length > 0 ? [`expired, and red until it gets a new day: ${expired.join(', ')}`] : []),
    ...(momentary.length > 0 ? [`Not accepted: ${notListed}`] : []),
  ];
  for (const line of lines) console.log(printable(line));
}

/** The report of a run that says enough about the target to list what it may do. */
function judged(source: string, open: boolean): ConformanceReport {
  const { report, file } = reportAt(source);
  const what = open ? 'accept' : 'list';
  if (report.run.partial || report.run.unfinished)
    throw new UsageError(`${file} is about a part of the suite: run all of it, then ${what} what is left.`);
  if (report.verdict === 'not judged')
    throw new UsageError(`The run of ${file} was not judged, so there is nothing to ${what}: run again.`);
  if (open && report.verdict === 'violated')
    throw new UsageError(
      `${file} shows violations: mend them or list them in KNOWN_FAILURES, then run again.`,
    );
  return report;
}

function newRows({ run }: ConformanceReport, given: ReturnType<typeof options>) {
  const { reason, owner, link, until } = given;
  if (until !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(until))
    throw new UsageError(`--until ${until} is no day: write it as YYYY-MM-DD.`);
  const last = new Date(Date.parse(run.startedAt) + DAYS * 86_400_000).toISOString().slice(0, 10);
  return {
    reason:
      reason?.trim() || `Seen on ${run.startedAt.slice(0, 10)}; say why it is accepted, and who mends it.`,
    ...(owner === undefined ? {} : { owner }),
    ...(link === undefined ? {} : { link }),
    until: until ?? last,
  };
}
