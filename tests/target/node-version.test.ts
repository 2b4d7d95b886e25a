import { expect, test } from '@playwright/test';
import { whyNotNode } from '../../target/node-version.ts';

const ENGINES = '^20.19.0 || >=22.12.0';

for (const version of ['20.19.0', '20.20.2', '22.12.0', '22.13.0', '24.0.0', '26.1.0'])
  test(`Node ${version} is supported`, () => expect(whyNotNode(version, ENGINES)).toBeUndefined());

for (const version of ['18.20.8', '20.18.9', '21.7.3', '22.11.99', '22.0.0'])
  test(`Node ${version} is not`, () =>
    expect(whyNotNode(version, ENGINES)).toBe(
      `Node ${version} is not supported: install Node ^20.19.0 or >=22.12.0.`,
    ));

test('the range is that of package.json', () => {
  expect(whyNotNode(process.versions.node)).toBeUndefined();
  expect(whyNotNode('18.0.0')).toMatch(/^Node 18\.0\.0 is not supported/);
});
