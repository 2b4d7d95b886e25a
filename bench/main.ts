import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { keepMeasured, type Measured } from './measured.ts';
import { PARTS } from './parts.ts';

const USAGE = `npm run bench -- [--only a,b] [--write] [folder of specs …]

Measures how quick the suite is, against its floor and against itself, and prints ratios. It takes some minutes; let
nothing else run meanwhile.

${Object.entries(PARTS)
  .map(([part, { title }]) => `  --only ${part.padEnd(6)} ${title}`)
  .join('\n')}
  --write       keeps what was measured in bench/measured.json, for docs/performance.md (npm run docs)`;

const { only, write, specs } = readCommandLine();
const machine = `Node ${process.versions.node.split('.')[0]}, ${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
for (const part of only) {
  const { title, measure } = PARTS[part] as (typeof PARTS)[string];
  console.log(`\n${title}`);
  const rows = await measure(specs, (line) => console.log(`  … ${line}`));
  for (const { what, value, ratio, aim } of rows)
    console.log(
      `  ${what}: ${[value, ratio?.toFixed(2)].filter(Boolean).join(', ratio ')}${aim === undefined ? '' : ` (aim: at most ${aim})`}`,
    );
  const measured: Measured = {
    on: new Date().toISOString().slice(0, 10),
    machine,
    ...(specs.length > 0 ? { specs } : {}),
    rows,
  };
  if (write) keepMeasured(part, measured);
}

function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { only: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const parts = values.only?.split(',') ?? Object.keys(PARTS);
    const unknown = parts.find((part) => !(part in PARTS));
    if (unknown !== undefined)
      throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}, not "${unknown}"`);
    return { only: parts, write: values.write === true, specs: positionals };
  } catch (error) {
    console.error(
      `${(error as Error).message.split(/\. To specify|\n/)[0]}. Run with --help to see the options.`,
    );
    return process.exit(2);
  }
}
