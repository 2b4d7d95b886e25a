import { expect, test } from '@playwright/test';
import { runAssay } from '../support/run-assay.ts';

test('the embedded sandbox takes the brand that a run is given', async () => {
  test.setTimeout(120_000);
  // A header, fields and an event's signature carry the brand.
  const specs = ['quotes/rate-details', 'credentials/stamp-headers', 'events/delivery'];
  const { code, output, report } = await runAssay(
    { BRAND: 'Acme' },
    specs.map((name) => `specs/${name}.spec.ts`),
  );
  expect(code, output).toBe(0);
  expect(report?.target.brand).toBe('Acme');
  expect(report?.rules.filter(({ verdict }) => verdict === 'verified').length).toBeGreaterThan(5);
});
