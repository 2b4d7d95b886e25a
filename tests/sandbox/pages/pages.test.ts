import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { areas } from '../../../sandbox/areas/index.ts';
import { sandboxDocument } from '../../../sandbox/pages/document.ts';
import { fieldErrors, type Schema } from '../../../sandbox/server/contract-schemas.ts';
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
