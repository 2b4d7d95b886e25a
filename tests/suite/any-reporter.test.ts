import { expect, test } from '@playwright/test';
import { runAssay } from '../support/run-assay.ts';

test("with another reporter on the command line, verdict and exit code are still Assay's", async () => {
  test.setTimeout(120_000);
  const { code, output, report } = await runAssay(
    // Playwright alone would end with 1 too, so the verdict itself is read.
    { ASSAY_WORLD: 'fault.everything-needs-approval' },
    ['specs/agents/acceptance.spec.ts', '--reporter=line'],
  );
  expect(output.split('\n').find((line) => line.startsWith('Assay '))).toBe(
    'Assay tests the embedded sandbox, prepared by its provider-states URL, seed 20251013, 1 worker.',
  );
  expect(output).toMatch(/^Violated/m);
  expect(report?.verdict).toBe('violated');
  expect(code).toBe(1);
});

test('a list of tests is no run, whatever lists it', async () => {
  test.setTimeout(120_000);
  const { code, output } = await runAssay({}, [
    'specs/agents/acceptance.spec.ts',
    '--list',
    '--reporter=line',
  ]);
  expect(output).not.toMatch(/^(Assay tests|Violated|Conforming|Not judged|Incomplete)/im);
  expect(code).toBe(0);
});
