import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from '@playwright/test';
import { type FaultRule, loadContract } from '../../schemas/contract.ts';
import { enumOf } from '../../schemas/openapi.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { loadRules } from '../../schemas/rules.ts';
import { Validator } from '../../schemas/validator.ts';
import { judge } from '../../suite/answers/judge-answer.ts';
import { root } from '../support/run-assay.ts';

const ids = new Set(loadRules().map((rule) => rule.id));

/** The contract, and what the sandbox serves beside it. */
const DOCUMENTS = ['schemas/openapi.yaml', 'sandbox/openapi.yaml'];

test('both documents are valid, and pass the lint of their semantics and examples', () => {
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

interface Examples {
  readonly [name: string]: { readonly value: unknown };
}
interface Content {
  readonly content?: { readonly 'application/json': { readonly examples?: Examples } };
}
interface RawOperation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-usual-status'?: number;
}
type Items = Record<string, Record<string, RawOperation>>;
interface Recorded {
  readonly requests: Examples;
  readonly answers: Readonly<Record<string, Examples>>;
}

/** Every operation with its examples in place, those of webhooks included. */
async function operations(): Promise<readonly RawOperation[]> {
  const document = await SwaggerParser.dereference(join(root, 'schemas/openapi.yaml'));
  const { paths, webhooks } = document as unknown as { paths: Items; webhooks: Items };
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item));
}

const examplesOf = (content: Content | undefined) => content?.content?.['application/json'].examples ?? {};
const recorded = readYaml('examples.yaml') as Record<string, Recorded>;

test('every body of a request and of an answer has an example', async () => {
  const without = (await operations()).flatMap(({ operationId, requestBody, responses, ...rest }) =>
    Object.entries({ request: requestBody, ...responses })
      .filter(([key]) => !(key === '2XX' && rest['x-usual-status'] === 204))
      .filter(([, body]) => body?.content && Object.keys(examplesOf(body)).length === 0)
      .map(([key]) => `${operationId}: ${key}`),
  );
  expect(without).toEqual([]);
});

// That each fits its schema, the lint of openapi.test.ts sees.
test('every example of an answer is one that a target would not be accused for', async () => {
  const contract = await loadContract('Service');
  const validator = new Validator();
  let held = 0;
  const accused: unknown[] = [];
  for (const { operationId, responses } of await operations()) {
    const operation = contract.operations.get(operationId);
    for (const [key, response] of Object.entries(responses))
      for (const [name, { value }] of Object.entries(examplesOf(response))) {
        held += 1;
        const status = statusOf(key, operationId, value);
        const answer = {
          status,
          headers: { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '30' } : {}) },
          text: JSON.stringify(value),
        };
        const request = { method: 'POST', url: 'http://127.0.0.1/', headers: {} };
        const exchange = { at: 0, milliseconds: 1, request, response: answer };
        const { breaches } = judge({ contract, validator }, operation, exchange);
        if (breaches.length > 0) accused.push([`${operationId} ${key} ${name}`, breaches]);
      }
  }
  expect(accused).toEqual([]);
  expect(held).toBeGreaterThan(300);
});

/** Of an answer whose status is not shown, the one that the sandbox gave; of any other error, the one that its body tells. */
function statusOf(key: string, operation: string, value: unknown): number {
  if (key === 'default') return (value as { status: number }).status;
  if (key !== '2XX') return Number(key);
  const { answers } = recorded[operation]!;
  return Number(Object.keys(answers).find((status) => status !== '202' || Object.keys(answers).length === 1));
}

test('openapi.yaml refers to every recorded example', () => {
  const text = JSON.stringify(readYaml('openapi.yaml'));
  const pointers = Object.entries(recorded).flatMap(([operation, { requests, answers }]) => {
    const kinds = Object.entries(answers).map(([status, some]) => [`answers/${status}`, some] as const);
    // The answer to sign is the same for all, so it stands once for credentials and once for the rest.
    const own = kinds.filter(([kind]) => kind !== 'answers/202');
    return [['requests', requests] as const, ...own].flatMap(([kind, examples]) =>
      Object.keys(examples).map((name) => `${operation}/${kind}/${name}`),
    );
  });
  expect(pointers.length).toBeGreaterThan(100);
  expect(pointers.filter((pointer) => !text.includes(`examples.yaml#/${pointer}"`))).toEqual([]);
});
