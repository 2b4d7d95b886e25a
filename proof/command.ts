import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Ends a command over bad input: one sentence, exit code 2. */
export function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

/** Options and words of a command line; ends the command where they are none. @param usage shown for --help */
export function readArguments<const O extends NonNullable<ParseArgsConfig['options']>>(
  options: O,
  usage: string,
) {
  const all = { ...options, help: { type: 'boolean' } } as const;
  const parse = () => parseArgs({ args: process.argv.slice(2), options: all, allowPositionals: true });
  let read: ReturnType<typeof parse>;
  try {
    read = parse();
  } catch (error) {
    return stop(
      `${(error as Error).message.split(/\.? To specify|\n/)[0]}. Run with --help to see the options.`,
    );
  }
  if ((read.values as { help?: boolean }).help) {
    console.log(usage);
    process.exit(0);
  }
  return read;
}

/** A whole number of the command line. */
export function wholeOf(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least) return value;
  return stop(`--${option} must be a whole number from ${least} on, not "${text}".`);
}

const PUBLIC_CALLS_ENV = 'ASSAY_PROOF_PUBLIC_CALLS';

/** Has every process that this one starts prepare by public calls, as with a service that serves no states. */
export function preparePublicly(): void {
  process.env[PUBLIC_CALLS_ENV] = '1';
}

/** Whether this process was started to prepare by public calls. */
export function preparesPublicly(): boolean {
  return process.env[PUBLIC_CALLS_ENV] !== undefined;
}

/** Processes: one for each core unless WORKERS says otherwise. */
export function workerCount(): number {
  const wanted = process.env['WORKERS'];
  if (wanted === undefined || wanted === '') return availableParallelism();
  if (/^[1-9]\d?$/.test(wanted)) return Number(wanted);
  return stop(`WORKERS must be a whole number from 1 to 99, not "${wanted}".`);
}

/** The part of a list that one of several machines takes. */
interface Shard {
  readonly index: number;
  readonly of: number;
}

/** `2/4`: the second of four. */
export function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = (/^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text) ?? []).map(Number);
  if (index !== undefined && of !== undefined && index <= of) return { index, of };
  return stop(`--shard must be like 2/4, the second of four, not "${text}".`);
}

/** Today in UTC, as in 2026-03-31. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The commit that is checked out; "with changes" where files differ from it. */
export function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--', ':/', ':!/reports/detection.json', ':!/docs/trust.md');
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}
