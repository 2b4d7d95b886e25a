import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../client/http/http-client.ts';
import { loadContract, type Schema } from '../../schemas/contract.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { Validator } from '../../schemas/validator.ts';
import { judge } from '../../suite/judge-answer.ts';
import { root } from '../support/run-assay.ts';

interface Examples {
  readonly [name: string]: { readonly value: unknown };
}
interface Content {
  readonly content?: {
    readonly 'application/json': { readonly schema: Schema; readonly examples?: Examples };
  };
}
interface RawOperation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-usual-status'?: number;
}
interface Recorded {
  readonly requests: Examples;
  readonly answers: Readonly<Record<string, Examples>>;
}

/** Every operation with its examples in place, those of webhooks included. */
async function operations(): Promise<readonly RawOperation[]> {
  const { paths, webhooks } = (await SwaggerParser.dereference(
    join(root, 'schemas/openapi.yaml'),
  )) as unknown as {
    paths: Record<string, Record<string, RawOperation>>;
    webhooks: Record<string, Record<string, RawOperation>>;
  };
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item));
}

const examplesOf = (content: Content | undefined) => content?.content?.['application/json'].examples ?? {};

test('every body of a request and of an answer has an example', async () => {
  const all = await operations();
  expect(all.length).toBeGreaterThan(50);
  const without = all.flatMap(({ operationId, requestBody, responses, ...rest }) => [
    ...(requestBody && Object.keys(examplesOf(requestBody)).length === 0 ? [`${operationId}: request`] : []),
    ...Object.entries(responses)
      .filter(([, response]) => response.content && Object.keys(examplesOf(response)).length === 0)
      .filter(([status]) => !(status === '2XX' && rest['x-usual-status'] === 204))
      .map(([status]) => `${operationId}: ${status}`),
  ]);
  expect(without).toEqual([]);
});

test('every example of a request is one that the contract lets through', async () => {
  const { components } = await loadContract('Service');
  const bodies = requestComponents();
  const validator = new Validator();
  let held = 0;
  for (const { operationId, requestBody } of await operations()) {
    const component = bodies.get(operationId);
    if (component === undefined) continue;
    for (const [name, { value }] of Object.entries(examplesOf(requestBody))) {
      held += 1;
      const { breaches } = validator.judge(components.get(component)!, value);
      expect(breaches, `${operationId} ${name}`).toEqual([]);
    }
  }
  expect(held).toBeGreaterThan(25);
});

test('every example of an answer is one that a target would not be accused for', async () => {
  const contract = await loadContract('Service');
  const validator = new Validator();
  let held = 0;
  for (const { operationId, responses } of await operations()) {
    const operation = contract.operations.get(operationId);
    for (const [key, response] of Object.entries(responses))
      for (const [name, { value }] of Object.entries(examplesOf(response))) {
        held += 1;
        const status = statusOf(key, operationId, value);
        const { breaches } = judge(contract, validator, operation, answered(status, value));
        expect(breaches, `${operationId} ${key} ${name}`).toEqual([]);
      }
  }
  expect(held).toBeGreaterThan(300);
});

test('an example that breaks the contract would be seen', async () => {
  const contract = await loadContract('Service');
  const { value } = (readYaml('examples.yaml') as Record<string, Recorded>)['transferOut']!.answers['201']![
    'automatic'
  ]!;
  const broken = { ...(value as object), agentId: 'Agent:1' };
  const { breaches } = judge(
    contract,
    new Validator(),
    contract.operations.get('transferOut'),
    answered(201, broken),
  );
  expect(breaches.map(({ rule }) => rule)).toEqual(['ACTION-AGENT-ID']);
});

test('openapi.yaml refers to every recorded example', async () => {
  const text = JSON.stringify(readYaml('openapi.yaml'));
  const signed = /\/answers\/202\//;
  const pointers = Object.entries(readYaml('examples.yaml') as Record<string, Recorded>).flatMap(
    ([operation, { requests, answers }]) => [
      ...Object.keys(requests).map((name) => `${operation}/requests/${name}`),
      ...Object.entries(answers).flatMap(([status, examples]) =>
        Object.keys(examples).map((name) => `${operation}/answers/${status}/${name}`),
      ),
    ],
  );
  expect(pointers.length).toBeGreaterThan(100);
  // The answer to sign is the same for all, so it stands once for credentials and once for the rest.
  const unused = pointers.filter((pointer) => !text.includes(`examples.yaml#/${pointer}"`));
  expect(unused.filter((pointer) => !signed.test(pointer))).toEqual([]);
});

/** The component that is the body of each request, as it is referred to; absent where nothing of the body is shown. */
function requestComponents(): ReadonlyMap<string, string> {
  const { paths } = readYaml('openapi.yaml') as { paths: Record<string, Record<string, RawOperation>> };
  return new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, requestBody }) => {
        const reference = requestBody?.content?.['application/json'].schema['$ref'] as string | undefined;
        return reference === undefined ? [] : [[operationId, reference.split('/').pop()!] as const];
      }),
  );
}

/** Of an answer whose status is not shown, the one that the sandbox gave; of any other error, the one that its body tells. */
function statusOf(key: string, operation: string, value: unknown): number {
  if (key === 'default') return (value as { status: number }).status;
  if (key !== '2XX') return Number(key);
  const { answers } = (readYaml('examples.yaml') as Record<string, Recorded>)[operation]!;
  return Number(Object.keys(answers).find((status) => status !== '202' || Object.keys(answers).length === 1));
}

function answered(status: number, body: unknown): Exchange {
  return {
    at: 0,
    milliseconds: 1,
    request: { method: 'POST', url: 'http://127.0.0.1/', headers: {} },
    response: {
      status,
      headers: { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '30' } : {}) },
      text: JSON.stringify(body),
    },
  };
}
