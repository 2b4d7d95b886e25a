import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from '@playwright/test';
import { loadContract } from '../../schemas/contract.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { Validator } from '../../schemas/validator.ts';
import { judge } from '../../suite/answers/judge-answer.ts';
import { root } from '../support/run-assay.ts';

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
        expect(breaches, `${operationId} ${key} ${name}`).toEqual([]);
      }
  }
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
