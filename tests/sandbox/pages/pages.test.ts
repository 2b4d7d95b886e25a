import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { areas } from '../../../sandbox/areas/index.ts';
import { sandboxDocument } from '../../../sandbox/pages/document.ts';
import { fieldErrors, type Schema } from '../../../sandbox/server/contract-schemas.ts';
import { root } from '../../support/run-assay.ts';
import { expect, test } from '../support/test.ts';

const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What stands in an example of the page at `/`, as somebody copies it. */
async function example(origin: string, id: string): Promise<string> {
  const page = await (await fetch(`${origin}/`)).text();
  return unescaped(new RegExp(`<pre id="${id}">([^]*?)</pre>`).exec(page)![1]!);
}

const shell = (script: string) => promisify(execFile)('sh', ['-c', script]);

test('the page shows credentials, worlds and what a sandbox can decide', async ({ caller }) => {
  const { origin, clientId, clientSecret } = caller.sandbox;
  const answer = await fetch(`${origin}/`);
  const page = await answer.text();
  expect(answer.headers.get('content-type')).toContain('text/html');
  for (const shown of [
    `${origin}/default/2025-10-13`,
    clientId,
    clientSecret,
    'fault.every-transfer-refused',
    'dialect.stamp',
    '/sandbox/customers/{customerId}',
    '/sandbox/reset',
  ])
    expect(page).toContain(shown);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('the first call works as it is copied', async ({ caller }) => {
  const { stdout } = await shell(await example(caller.sandbox.origin, 'first-call'));
  expect(JSON.parse(stdout)).toMatchObject({
    fullName: 'Ada Example',
    id: expect.stringMatching(/^Customer:/),
  });
});

test('the transfer from nothing works as it is copied', async ({ caller }) => {
  const { stdout } = await shell(await example(caller.sandbox.origin, 'first-transfer'));
  const action = JSON.parse(stdout.slice(stdout.lastIndexOf('{"id":"AgentAction:'))) as object;
  expect(action).toMatchObject({
    status: 'APPROVED',
    type: 'TRANSFER_OUT',
    transaction: { type: 'OUTGOING' },
  });
});

test('the OpenAPI document is valid and holds every operation that is served', async ({ caller }) => {
  const document = await (await fetch(`${caller.sandbox.origin}/openapi.json`)).json();
  await SwaggerParser.validate(structuredClone(document) as never);
  const { paths } = document as { paths: Record<string, Record<string, { operationId: string }>> };
  const shape = (path: string) => path.replace(/\{\w+\}|:\w+/g, '{}');
  const shown = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${shape(path)}`),
  );
  const served = areas.flatMap(({ routes }) => routes).map(({ method, path }) => `${method} ${shape(path)}`);
  expect(served.length).toBeGreaterThan(70);
  expect(shown).toEqual(expect.arrayContaining(served));
  expect(JSON.stringify(document)).not.toContain('assay.invalid');
});

test('every operation says with which status it succeeds, and what it answers then', () => {
  const { paths } = sandboxDocument(areas) as {
    paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  };
  type Response = { readonly $ref?: string; readonly content?: Record<string, { schema: object }> };
  const operations = Object.entries(paths).flatMap(([path, { servers: _, ...item }]) =>
    Object.entries(item).map(([method, { responses }]) => ({ name: `${method} ${path}`, responses })),
  );
  expect(operations.length).toBeGreaterThan(80);
  for (const { name, responses } of operations) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    expect(successes.length, name).toBeGreaterThan(0);
    for (const [status, { $ref, content }] of successes) {
      expect(status, name).toMatch(/^2\d\d$/);
      const schema = content?.['application/json']?.schema ?? {};
      const isShown = $ref !== undefined || status === '204' || Object.keys(schema).length > 0;
      expect(isShown, `${name} ${status}`).toBe(true);
    }
  }
});

test('every example fits its operation', () => {
  const shown = areas.flatMap(({ routes }) => routes).filter(({ example }) => example !== undefined);
  expect(shown.length).toBeGreaterThan(8);
  for (const { path, body, example } of shown)
    expect(
      fieldErrors(body as Schema, example!, ({ length }) => length),
      path,
    ).toEqual([]);
});

test('the reference comes from this sandbox alone', async ({ caller }) => {
  const { origin } = caller.sandbox;
  const page = await fetch(`${origin}/reference`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect((await fetch(new URL(file, origin))).status, file).toBe(200);
});

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
