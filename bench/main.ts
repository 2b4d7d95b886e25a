import { availableParallelism, loadavg } from 'node:os';
import { readArguments, stop } from '../proof/command.ts';
import { keepMeasured, type Measured } from './measured.ts';
import { PARTS } from './parts.ts';

const USAGE = `npm run bench -- [--only a,b] [--write] [folder of specs …]

Measures how quick the suite is, against its floor and against itself, and prints ratios. It takes some minutes; let
nothing else run meanwhile.

${Object.entries(PARTS)
  .map(([part, { title }]) => `  --only ${part.padEnd(6)} ${title}`)
  .join('\n')}
  --write       keeps what was measured in bench/measured.json, for docs/performance.md (npm run docs)`;

const { values, positionals: specs } = readArguments(
  { only: { type: 'string' }, write: { type: 'boolean' } },
  USAGE,
);
const only = values.only?.split(',') ?? Object.keys(PARTS);
const unknown = only.find((part) => !(part in PARTS));
if (unknown !== undefined) stop(`--only takes ${Object.keys(PARTS).join(', ')}, not "${unknown}".`);
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
  if (values.write) keepMeasured(part, measured);
}
