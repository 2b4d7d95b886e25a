import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runSpecs } from './run-specs.ts';
import { ACTION, CLIENT, send, smallService, STATES_TOKEN, TOKEN } from './small-service.ts';

/** Everything goes wrong with the secret in hand: a failed check, a broken shape, an error, a note of what was seen. */
const SPEC = `
test('echo', verifies('TRANSFER-ACCEPTED', 'TRANSFER-RAIL-DEFAULT', 'TRANSFER-RAIL-SUPPORTED'), async ({ given, check, observe, platform }) => {
  const agent = await given.agent();
  const a = await agent.transferOut();
  await platform.call('transferOut', { body: {} });
  observe('unknown-route', a.body.echo, a);
  await check('TRANSFER-ACCEPTED', () => expect(a.body.echo).toBe('something else'));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a.body).toEqual({}));
  await check('TRANSFER-RAIL-SUPPORTED', () => { if (a.accepted) throw new Error('our own error with ' + a.body.echo); });
});
test('crash', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check }) => {
  const agent = await given.agent();
  const a = await agent.transferOut();
  await check('TRANSFER-RAIL-UNKNOWN', () => expect(a).toBeRefused(400));
});`;

test('no secret reaches any file of the reports or any output, in any form', async () => {
  test.setTimeout(120_000);
  const basic = `${CLIENT.id}:${CLIENT.secret}`;
  await using service = await smallService(({ response, request }) =>
    send(
      response,
      201,
      {
        ...ACTION,
        platformCustomerId: { authorization: request.headers.authorization },
        echo: TOKEN,
        nested: JSON.stringify({ accessToken: 'another-token-unknown-to-us', token: TOKEN }),
        basic: Buffer.from(basic).toString('base64'),
      },
      { 'x-echo': request.headers.authorization ?? '', 'set-cookie': `session=${TOKEN}` },
    ),
  );
  const { folder, output, code } = await runSpecs(SPEC, service.env);
  expect(code).toBe(1);
  const secrets = [TOKEN, CLIENT.secret, STATES_TOKEN, 'another-token-unknown-to-us', basic];
  const forms = secrets.flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]);
  const files = filesBelow(folder);
  expect(files.some((file) => file.endsWith('exchanges.ndjson'))).toBe(true);
  expect(files.some((file) => file.includes('allure-results'))).toBe(true);
  const leaks = files.flatMap((file) => {
    const text = readFileSync(file, 'latin1');
    return forms.filter((form) => text.includes(form)).map((form) => `${file.slice(folder.length)}: ${form}`);
  });
  expect(leaks).toEqual([]);
  expect(forms.filter((form) => output.includes(form))).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
