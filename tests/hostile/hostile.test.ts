/** Assay against targets that do mischief: it must end, tell the truth, and accuse nobody of what a right service does. */
import { test as base } from '@playwright/test';
import { holds } from './holds.ts';
import { rightService, runHostile, type RightService } from './run-hostile.ts';
import { HOSTILE_ROWS } from './table.ts';

const test = base.extend<object, { service: RightService }>({
  service: [
    async ({}, use) => {
      await using service = await rightService();
      await use(service);
    },
    { scope: 'worker' },
  ],
});

test.setTimeout(600_000);

for (const row of HOSTILE_ROWS)
  test(row.name, async ({ service }) => holds(row, await runHostile(service, row)));
