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
      readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
    };
  };
}
interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly examples: Readonly<Record<string, { readonly value: string }>>;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Operations of sandbox/openapi.yaml, by method and path. */
async function operations(): Promise<readonly (readonly [string, Operation])[]> {
  const { paths } = await SwaggerParser.dereference(join(root, 'sandbox/openapi.yaml'));
  return Object.entries(paths as unknown as Paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
}

test('the sandbox answers every example of a request as sandbox/openapi.yaml says', async ({ caller }) => {
  const { origin, clientId, clientSecret } = caller.sandbox;
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const statuses = new Set<number>();
  for (const [name, { parameters = [], requestBody, responses }] of await operations()) {
    const [method = '', path = ''] = name.split(' ');
    const url = parameters.reduce(
      (filled, one) => filled.replace(`{${one.name}}`, Object.values(one.examples)[0]!.value),
      origin + path,
    );
    const examples = requestBody?.content?.['application/json'].examples ?? { none: {} };
    for (const { value } of Object.values(examples)) {
      const answer = await fetch(url, {
        method: method.toUpperCase(),
        headers: { 'content-type': 'application/json', authorization },
        ...(value === undefined ? {} : { body: JSON.stringify(value) }),
      });
      statuses.add(answer.status);
      const said = responses[answer.status];
      expect(said, `${name} ${answer.status}`).toBeDefined();
      const fits = ajv.validate(said!.content!['application/json'].schema, await answer.json());
      expect(fits, `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 404]));
});
