import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { forbidden, options } = JSON.parse(readFileSync(`${root}.dependency-cruiser.json`, 'utf8')) as {
  forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  options: ICruiseOptions;
};

test('imports of the sandbox run one way: world, server, areas, faults and variants, worlds', async () => {
  const { output } = await cruise(
    ['sandbox'],
    { ...options, baseDir: root, validate: true, ruleSet: { forbidden } },
    {},
    { tsConfig: extractTSConfig(`${root}tsconfig.json`) },
  );
  const { modules, summary } = output as ICruiseResult;
  const rulesRead = modules.filter(
    ({ source, dependencies }) => /rules\.ts$/.test(source) && dependencies.length > 0,
  );
  expect(rulesRead.length, 'modules that were read').toBeGreaterThan(20);
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`)).toEqual([]);
});
