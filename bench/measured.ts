import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, type Row } from './parts.ts';

const FILE = join(import.meta.dirname, 'measured.json');

/** What was measured last of one part. */
export interface Measured {
  /** Day in UTC. */
  readonly on: string;
  /** Node's version, and how many cores the machine has and how many processes wanted them at the start. */
  readonly machine: string;
  /** Folders of specs, where it was not the whole suite. */
  readonly specs?: readonly string[];
  readonly rows: readonly Row[];
}

/** The last measurements, by part. */
function readMeasured(): Readonly<Record<string, Measured>> {
  if (!existsSync(FILE)) return {};
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Measured>;
}

/** Keeps a measurement in place of the last one of its part. */
export function keepMeasured(part: string, measured: Measured): void {
  const all = { ...readMeasured(), [part]: measured };
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

/** The table of docs/performance.md. */
export function performanceTable(): string {
  const measured = readMeasured();
  const known = Object.entries(PARTS).filter(([part]) => measured[part] !== undefined);
  if (known.length === 0) return 'Nothing has been measured yet.';
  return known
    .map(([part, { title }]) => {
      const { on, machine, specs, rows } = measured[part] as Measured;
      const of = specs ? `, of ${specs.map((one) => `\`${one}\``).join(' and ')} alone` : '';
      const lines = rows.map(
        ({ what, value, ratio, aim }) =>
          `| ${what} | ${value} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${aim === undefined ? '' : `at most ${aim}`} |`,
      );
      return `### ${title} (\`--only ${part}\`)\n\nOn ${on}, ${machine}${of}.\n\n| | measured | ratio | aim |\n| --- | --- | --- | --- |\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
