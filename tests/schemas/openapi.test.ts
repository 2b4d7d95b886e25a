import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { applyBrand, branded } from '../../schemas/brand.ts';
import { type FaultRule, loadContract } from '../../schemas/contract.ts';
import { INT64, boundOf, enumOf, shapeRules } from '../../schemas/openapi.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { loadRules } from '../../schemas/rules.ts';
import { Validator } from '../../schemas/validator.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ids = new Set(loadRules().map((rule) => rule.id));

/** The contract, and what the sandbox serves beside it. */
const DOCUMENTS = ['schemas/openapi.yaml', 'sandbox/openapi.yaml'];

test('both documents are valid, and pass the lint of their semantics and examples', () => {
  test.setTimeout(90_000);
  const redocly = join(
    dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
    'bin/cli.js',
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [redocly, 'lint', ...DOCUMENTS], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  expect(`${stdout}${stderr}`, 'no warnings either').not.toMatch(/\b[1-9]\d* (warnings?|errors?)\b/);
  expect(status).toBe(0);
});

test('every component and every answer compiles with a strict Ajv', async () => {
  const { components, operations } = await loadContract('Service');
  const validator = new Validator();
  for (const [name, schema] of components) expect(() => validator.judge(schema, null), name).not.toThrow();
  for (const operation of operations.values())
    for (const [status, { schema, headers }] of operation.answers) {
      if (schema) expect(() => validator.judge(schema, null), `${operation.id} ${status}`).not.toThrow();
      for (const [name, header] of headers)
        expect(() => validator.judge(header, ''), `${operation.id} ${name}`).not.toThrow();
    }
});

test('every rule that openapi.yaml names has its row in schemas/rules/', () => {
  const named = new Set<string>();
  walk(readYaml('openapi.yaml'), (key, value) => {
    if (['x-rule', 'x-status-rule', 'x-no-body-rule'].includes(key)) named.add(value as string);
    if (key === 'x-fault-rule')
      for (const rule of [(value as FaultRule).rule, (value as FaultRule).signed]) if (rule) named.add(rule);
  });
  expect(named.size).toBeGreaterThan(100);
  expect([...named].filter((rule) => !ids.has(rule))).toEqual([]);
});

test('objects that are recognised and schemas that are looked up exist', async () => {
  const { components, operations } = await loadContract('Service');
  for (const operation of operations.values())
    expect(
      [...operation.mayReturn, ...operation.mayList].filter((name) => !components.has(name)),
      operation.id,
    ).toEqual([]);
  for (const status of [400, 401, 403, 404, 500])
    expect(components.has(`Error${status}`), `Error${status}`).toBe(true);
});

test('path parameters that name a record have the form of its id', () => {
  const { parameters } = (
    readYaml('openapi.yaml') as { components: { parameters: Record<string, Parameter> } }
  ).components;
  const inPath = Object.entries(parameters).filter(([, { in: place }]) => place === 'path');
  expect(inPath.length).toBeGreaterThan(8);
  const free = inPath.filter(([, { schema }]) => !/Id'?$/.test(schema.$ref ?? '')).map(([name]) => name);
  expect(free, 'no id').toEqual(['DeviceCode']);
});

test('every union whose kind a field tells has its discriminator, with every member and every value', () => {
  const { schemas } = (readYaml('openapi.yaml') as { components: { schemas: Record<string, Union> } })
    .components;
  const unions = Object.entries(schemas).filter(([, { oneOf }]) => oneOf !== undefined);
  expect(unions.map(([name]) => name)).toEqual([
    'Transaction',
    'QuoteSource',
    'QuoteDestination',
    'AccountOrWalletInfo',
    'CreateCredentialRequest',
    'VerifyCredentialRequest',
  ]);
  for (const [name, { oneOf, discriminator, properties }] of unions) {
    const { propertyName, mapping } = discriminator;
    expect([...new Set(Object.values(mapping))].sort(), name).toEqual(oneOf.map(({ $ref }) => $ref).sort());
    const own = properties[propertyName]!;
    const known = own.enum ?? schemas[own.$ref!.split('/').pop()!]!.enum;
    expect(Object.keys(mapping).sort(), name).toEqual([...known!].sort());
    for (const [value, reference] of Object.entries(mapping)) {
      const kind = schemas[reference.split('/').pop()!]!.properties[propertyName]!;
      expect([kind.const ?? kind.enum].flat(), `${name} ${value}`).toContain(value);
    }
  }
});

interface Parameter {
  readonly in: string;
  readonly schema: { readonly $ref?: string };
}

interface Property {
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly $ref?: string;
}

interface Union {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly enum?: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

function walk(node: unknown, visit: (key: string, value: unknown) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    visit(key, value);
    walk(value, visit);
  }
}

test('the closed sets have as many members as the interface states', () => {
  expect(enumOf('PaymentRail')).toHaveLength(23);
  expect(enumOf('PurposeOfPayment')).toHaveLength(14);
  expect(enumOf('PaymentAccountType')).toHaveLength(49);
});

test('bounds, int64 and the rules of a component are read from the contract', () => {
  expect(boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength')).toBe(80);
  expect([INT64.min, INT64.max]).toEqual([-(2n ** 63n), 2n ** 63n - 1n]);
  const rules = shapeRules('AgentAction');
  // Its own, and those of what it is made of.
  expect(rules).toEqual(expect.arrayContaining(['ACTION-ID', 'QUOTE-ID', 'GENERAL-TIMESTAMP-UTC']));
  expect(new Set(rules).size).toBe(rules.length);
});

test('a brand takes the three spellings of names, and leaves other words alone', () => {
  expect(branded('Service-Wallet-Signature', 'Acme')).toBe('Acme-Wallet-Signature');
  expect(branded('X-Service-Signature', 'Acme')).toBe('X-Acme-Signature');
  expect(branded('serviceApiMultiplier', 'Acme')).toBe('acmeApiMultiplier');
  expect(branded('SERVICE_SWITCH_ERROR', 'Acme')).toBe('ACME_SWITCH_ERROR');
  for (const word of ['serviceable', 'GOODS_OR_SERVICES', 'The service answers.'])
    expect(branded(word, 'Acme')).toBe(word);
});

test('it reaches keys and values at every depth, and the original stays', () => {
  const original = { properties: { serviceApiMultiplier: {} }, enum: ['SERVICE_SWITCH_ERROR', 1, null] };
  expect(applyBrand(original, 'Acme')).toEqual({
    properties: { acmeApiMultiplier: {} },
    enum: ['ACME_SWITCH_ERROR', 1, null],
  });
  expect(Object.keys(original.properties)).toEqual(['serviceApiMultiplier']);
});

test('the contract of a brand demands its names', async () => {
  const contract = await loadContract('Acme');
  const rates = contract.components.get('OutgoingRateDetails') as { required: string[] };
  expect(rates.required).toContain('acmeApiMultiplier');
  expect(JSON.stringify(contract.components.get('Error500'))).toContain('ACME_SWITCH_ERROR');
});
