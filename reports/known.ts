/** `npm run known`: writes the list of known failures from the last run's report. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../target/usage-error.ts';
import { knownList } from './known-list.ts';
import { reportAt } from './baseline.ts';
import type { ConformanceReport } from './model.ts';
import { count, printable } from './sentences.ts';
import { reportDir } from './folder.ts';

/** An entry is looked at again after so long, unless it says otherwise. */
const DAYS = 30;
const HELP = `npm run known -- [--reason <text>] [--owner <text>] [--link <address>] [--until <YYYY-MM-DD>] [--report …] [--out …]

Writes every breach that the last run saw into a list for KNOWN_FAILURES: one entry for each place and each thing that was
seen there. Entries that still hold stay as they are; what is mended, or matches nothing, is taken off the list.

  --reason  why it may be red for a while. Default: a sentence that asks for one
  --owner   who acts
  --link    where it is followed, such as a ticket
  --until   last day on which it is accepted. Default: ${DAYS} days after the run
  --report  folder or conformance.json of the run. Default: REPORT_DIR, else reports/out
  --out     the list. Default: KNOWN_FAILURES, else known-failures.yaml in this folder
`;

try {
  const { help, report: source = reportDir(), out, ...given } = options();
  if (help) process.stdout.write(HELP);
  else write(judged(source), out ?? (process.env['KNOWN_FAILURES']?.trim() || 'known-failures.yaml'), given);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(printable(error.message));
  process.exitCode = 2;
}

interface Given {
  readonly reason?: string | undefined;
  readonly owner?: string | undefined;
  readonly link?: string | undefined;
  readonly until?: string | undefined;
}

function options(): Given & {
  help?: boolean | undefined;
  report?: string | undefined;
  out?: string | undefined;
} {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      options: {
        ...{ reason: text, owner: text, link: text, until: text, report: text, out: text },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split('\n')[0]?.split('. ')[0]}; --help lists the options.`,
    );
  }
}

function judged(source: string): ConformanceReport {
  const { report, file } = reportAt(source);
  if (report.run.partial || report.run.unfinished)
    throw new UsageError(`${file} is about a part of the suite: run all of it, then list what is broken.`);
  if (report.run.usageError !== undefined)
    throw new UsageError(`The run of ${file} was not judged, so there is nothing to list: run again.`);
  return report;
}

function write(report: ConformanceReport, out: string, { reason, owner, link, until }: Given): void {
  if (until !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(until))
    throw new UsageError(`--until ${until} is no day: write it as YYYY-MM-DD.`);
  const day = report.run.startedAt.slice(0, 10);
  const last = new Date(Date.parse(report.run.startedAt) + DAYS * 86_400_000).toISOString().slice(0, 10);
  const list = knownList(report, {
    reason: reason?.trim() || `Seen on ${day}; say why it is accepted, and who mends it.`,
    ...(owner === undefined ? {} : { owner }),
    ...(link === undefined ? {} : { link }),
    until: until ?? last,
  });
  const { added, kept, dropped, expired } = list;
  if (added.length + kept.length + dropped.length + expired.length === 0) {
    console.log('There is nothing to list: the run saw no breach.');
    return;
  }
  try {
    writeFileSync(out, list.text);
  } catch {
    throw new UsageError(`${out} cannot be written: name another file with --out.`);
  }
  console.log(
    printable(
      `${out}: ${count(added.length, 'breach').replace('breachs', 'breaches')} added, ${kept.length} kept, ${dropped.length} dropped. Read its reasons, and point KNOWN_FAILURES to it.`,
    ),
  );
  for (const [what, names] of [
    ['added', added],
    ['dropped', dropped],
    ['expired, and red until it gets a new day', expired],
  ] as const)
    if (names.length > 0) console.log(printable(`${what}: ${names.join(', ')}`));
}
