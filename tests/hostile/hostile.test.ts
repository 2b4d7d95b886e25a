/** Assay against targets that do mischief: it must end, tell the truth, and accuse nobody of what a right service does. */
import { test as base } from '@playwright/test';
import { DAILY } from '../support/run-assay.ts';
import { spawnSandbox, type SandboxProcess } from '../support/sandbox-process.ts';
import { type HostileRow, holds, runHostile } from './run-hostile.ts';
import { AT_FIRST, FOR_GOOD } from './rows/gone.ts';
import { FOR_A_WHILE, STATES } from './rows/trouble.ts';
import { COMES_BACK, OTHERS } from './rows/wrong.ts';

const test = base.extend<object, { service: SandboxProcess }>({
  service: [
    async ({}, use) => {
      await using service = await spawnSandbox();
      await use(service);
    },
    { scope: 'worker' },
  ],
});

test.setTimeout(600_000);

/** Every hostile target that Assay is held to. */
const HOSTILE_ROWS: readonly HostileRow[] = [
  ...AT_FIRST,
  ...FOR_GOOD,
  ...FOR_A_WHILE,
  ...COMES_BACK,
  ...OTHERS,
  ...STATES,
];

/** Those that `npm test` plays: a few of each kind that cost little. */
const OF_EACH_DAY =
  /^to everything: (?:(?:404|500|401) in JSON|(?:503|200) as a page)$|each 40th connection|a restart of five|a 500 for a second|nobody listens there$/;

/** Runs side by side: each of them waits most of its time. */
const SIDE_BY_SIDE = 4;

for (const [isOfEachDay, details] of [
  [true, DAILY],
  [false, {}],
] as const) {
  const here = HOSTILE_ROWS.filter(({ name }) => OF_EACH_DAY.test(name) === isOfEachDay);
  for (const row of here.filter(({ waits }) => !waits))
    test(row.name, details, async ({ service }) => holds(row, await runHostile(service, row)));
  const waiting = here.filter(({ waits }) => waits);
  for (let i = 0; i < waiting.length; i += SIDE_BY_SIDE) {
    const rows = waiting.slice(i, i + SIDE_BY_SIDE);
    test(rows.map(({ name }) => name).join('; '), details, async ({ service }) => {
      const outcomes = await Promise.all(
        rows.map(async (row) => ({ row, outcome: await runHostile(service, row) })),
      );
      for (const { row, outcome } of outcomes) await test.step(row.name, () => holds(row, outcome));
    });
  }
}
