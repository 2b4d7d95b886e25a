import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PAGES, PARTS, withParts } from '../../docs/pages.ts';
import { readYaml as ofSandbox } from '../../sandbox/server/read-contract.ts';
import { areas } from '../../sandbox/areas/index.ts';
import { loadRules } from '../../schemas/rules.ts';
import { RULES_ON } from '../../target/doc-pages.ts';
import { STATE_NAMES, loadStates } from '../../target/states/catalogue.ts';
import { allCapabilities } from '../../target/profile.ts';
import profileSchema from '../../target/profile-file.schema.json' with { type: 'json' };
import { root } from '../support/run-assay.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guides = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('the catalogue of states has every state that the sandbox serves, and no other; each param has a type', () => {
  const served = areas.flatMap((area) => area.states);
  const rows = loadStates();
  expect(rows.map(({ name }) => name).sort()).toEqual(served.map(({ name }) => name).sort());
  expect(rows.map(({ name }) => name).sort()).toEqual([...STATE_NAMES].sort());
  const { params } = ofSandbox('../operations.yaml') as { params: object };
  const named = new Set(rows.flatMap((row) => row.params.map(({ name }) => name)));
  expect(Object.keys(params).sort()).toEqual([...named].sort());
});

for (const guide of Object.keys(PARTS))
  test(`the parts of ${guide} are what the data says; npm run docs brings them up to date`, async () =>
    expect(read(`docs/${guide}`)).toBe(await withParts(guide)));

for (const [page, made] of Object.entries(PAGES))
  test(`${page} is what the data says; npm run docs brings it up to date`, () =>
    expect(read(`docs/${page}`)).toBe(made()));

test('the rules that the page of the dialect names are in the catalogue', () => {
  const rules = loadRules().map(({ id }) => id);
  expect(
    Object.values(RULES_ON)
      .flat()
      .filter((rule) => !rules.includes(rule)),
  ).toEqual([]);
});

test('the JSON Schema of a profile completes every capability', () => {
  const { capabilities, without } = profileSchema.properties;
  expect(capabilities.items.enum).toEqual(allCapabilities());
  expect(without.items.enum).toEqual(allCapabilities());
});

test('every package has an exact version, and stands in the guide with its reason', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const packages = Object.entries({ ...dependencies, ...devDependencies });
  expect(packages.filter(([, version]) => /[\^~*]/.test(version))).toEqual([]);
  const rows = read('docs/dependencies.md').matchAll(/^\| (.+?) \| /gm);
  const named = new Set([...rows].flatMap(([, names = '']) => names.trim().split(', ')));
  expect(packages.map(([name]) => name).filter((name) => !named.has(name))).toEqual([]);
});

test('links between guides lead somewhere', () => {
  for (const guide of guides)
    for (const [, target] of read(guide).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(root, dirname(guide), target as string)), `${guide}: ${target}`).toBe(true);
});

test('the README names the two first commands, and its guide every setting', () => {
  const page = read('README.md');
  const guide = read('docs/settings.md');
  expect(page.split(/\s+/).length).toBeLessThan(900);
  expect(page).toContain('npm ci && npx playwright test');
  expect(page).toContain('npm ci && npm test');
  const settings =
    'BASE_URL CLIENT_ID CLIENT_SECRET BRAND PROFILE PROVIDER_STATES_URL PROVIDER_STATES_TOKEN FIXTURES ' +
    'KNOWN_FAILURES REPORT_DIR BASELINE SEED REPLAY DEPTH SLOW WORKERS ENVIRONMENT SANDBOX_HOST DENY_HOSTS ' +
    'MAX_AMOUNT MAX_REQUESTS PACE CONCURRENCY WEBHOOK_LISTEN WEBHOOK_URL';
  for (const name of settings.split(' ')) expect(guide).toContain(`| \`${name}\``);
});
