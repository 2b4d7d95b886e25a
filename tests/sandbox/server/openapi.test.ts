import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { root } from '../../support/run-assay.ts';
import { expect, test } from '../support/test.ts';

interface Body {
  readonly content?: {
    readonly 'application/json': {
      readonly schema: object;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    };
  };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly examples: Readonly<Record<string, { readonly value: string }>>;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

async function operations() {
  const { paths } = await SwaggerParser.dereference(join(root, 'sandbox/openapi.yaml'));
  return Object.entries(paths as unknown as Paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

test('every example of sandbox/openapi.yaml fits its own schema', async () => {
  let held = 0;
  for (const { operation } of await operations())
    for (const body of [operation.requestBody, ...Object.values(operation.responses)])
      for (const [name, { value }] of Object.entries(body?.content?.['application/json'].examples ?? {})) {
        held += 1;
        const errors = problems(body!, value);
        expect(errors, `${operation.operationId} ${name}`).toBe('');
      }
  expect(held).toBeGreaterThan(8);
});

test('the sandbox answers every example of a request as sandbox/openapi.yaml says', async ({ caller }) => {
  const statuses: Record<string, number> = {};
  for (const { method, path, operation } of await operations()) {
    const requests = operation.requestBody?.content?.['application/json'].examples ?? { none: {} };
    for (const [name, { value }] of Object.entries<{ value?: unknown }>(requests)) {
      const response = await fetch(caller.sandbox.origin + filled(path, operation), {
        method: method.toUpperCase(),
        ...(value === undefined ? {} : { body: JSON.stringify(value) }),
        headers: { 'content-type': 'application/json', authorization: basic(caller.sandbox) },
      });
      const what = `${operation.operationId} ${name}`;
      statuses[what] = response.status;
      const answer = operation.responses[response.status];
      expect(Object.keys(operation.responses), what).toContain(String(response.status));
      expect(problems(answer!, await response.json()), what).toBe('');
    }
  }
  expect(statuses).toMatchObject({
    'getHealth none': 200,
    'prepareState agent': 200,
    'prepareState unknownState': 404,
  });
});

test('sandbox/openapi.yaml describes what is served outside of the worlds, as /openapi.json does', async ({
  caller,
}) => {
  const served = (await (await fetch(`${caller.sandbox.origin}/openapi.json`)).json()) as { paths: Paths };
  const outside = Object.entries(served.paths).filter(([, item]) => 'servers' in item);
  const methodsOf = (path: string, { servers: _, ...methods }: Paths[string]) =>
    Object.keys(methods).map((method) => `${method} ${path}`);
  const described = await operations();
  expect(described.map(({ method, path }) => `${method} ${path}`)).toEqual(
    outside.flatMap(([path, item]) => methodsOf(path, item)),
  );
  for (const { path, method, operation } of described) {
    const same = served.paths[path]![method]!;
    const fieldsOf = ({ requestBody }: Operation) =>
      Object.keys(
        (requestBody?.content?.['application/json'].schema as { properties?: object } | undefined)
          ?.properties ?? {},
      );
    expect(fieldsOf(operation), path).toEqual(fieldsOf(same));
    expect(operation.requestBody === undefined, path).toBe(same.requestBody === undefined);
  }
});

function filled(path: string, { parameters = [] }: Operation): string {
  return parameters.reduce(
    (url, { name, examples }) => url.replace(`{${name}}`, Object.values(examples)[0]!.value),
    path,
  );
}

function basic({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  return `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
}

/** What is wrong with a body; empty where nothing is. */
function problems(body: Body, value: unknown): string {
  const validate = ajv.compile(body.content!['application/json'].schema);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}
