import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { unzip } from '../support/unzip.ts';
import { runSpecs } from './small-service.ts';
import { CANARIES, CLIENT_ID, hostileService } from './hostile-service.ts';

/** Everything goes wrong with the secrets in hand. They come from the service alone, so this source holds none. */
const SPEC = `
const place = (name) => ({ place: name });
test('failed checks', verifies('TRANSFER-ACCEPTED', 'TRANSFER-RAIL-DEFAULT', 'TRANSFER-RAIL-SUPPORTED'), async ({ given, check, observe, platform }) => {
  const agent = await given.agent();
  const a = await agent.transferOut(place('everywhere'));
  observe('unknown-route', a.body.asTexts.join(' and '), a);
  observe('unknown-route', a.text, a);
  await check('TRANSFER-ACCEPTED', () => expect(a.body.echo).toBe('something else'));
  await check('TRANSFER-ACCEPTED', () => expect(a.accepted && 'something else').toBe(a.body.echo));
  await check('TRANSFER-ACCEPTED', () => expect(a.body.echo).toBe(a.body.echo.replace('Canary', 'canary')));
  await check('TRANSFER-ACCEPTED', () => expect(a.body.refreshToken).toMatch(/^nothing$/));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a.body).toEqual({}));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a.body).toMatchObject({ echo: 1, asFields: a.body.inForms }));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a.text).toContain('nothing'));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a.header('x-echo')).toBe(a.header('location')));
  await check('TRANSFER-RAIL-DEFAULT', () => expect(a).toHaveStatus(a.body.echo));
  await check('TRANSFER-RAIL-SUPPORTED', () => expect(a.body.echo).not.toBe(a.body.echo));
});
test('crash', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check }) => {
  const agent = await given.agent();
  const a = await agent.transferOut(place('everywhere'));
  throw new Error('our own error with ' + a.body.echo + ' and ' + a.text, { cause: new Error(a.text) });
});
// What those two leave when they are repeated is enough: each repeat starts a process.
test.describe(() => {
  test.describe.configure({ retries: 0 });
  test('passed checks', verifies('TRANSFER-ACCEPTED'), async ({ given, check, platform }) => {
    const agent = await given.agent();
    const a = await agent.transferOut(place('everywhere'));
    await check('TRANSFER-ACCEPTED', () => expect(a.body.echo).toBe(a.body.echo));
    await check('TRANSFER-ACCEPTED', () => expect(a.body.asTexts).toContain(a.body.asTexts[0]));
  });
  test('refusals', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check, platform }) => {
    const agent = await given.agent();
    const a = await agent.transferOut(place('error'));
    await check('TRANSFER-RAIL-UNKNOWN', () => expect(a).toHaveCode('INVALID_INPUT'));
    await check('TRANSFER-RAIL-UNKNOWN', () => expect(a.body.message).toBe(''));
    await agent.transferOut(place('redirect'));
    await agent.transferOut(place('html'));
    await platform.call('transferOut', { body: place('everywhere'), label: 'labelled ' + a.code });
  });
  test('signed', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check, platform }) => {
    const agent = await given.agent();
    const before = await agent.transferOut(place('everywhere'));
    const a = await platform.call('revokeCredential', { path: { id: 'AuthMethod:' + before.body.deviceCode.code }, body: place('everywhere'), headers: { 'Service-Wallet-Signature': process.env.A_STAMP } });
    const b = await platform.call('verifyCredential', { path: { id: 'AuthMethod:x' }, body: { ...place('everywhere'), encryptedOtpBundle: before.body.encryptedOtpBundle } });
    await check('TRANSFER-RAIL-UNKNOWN', () => expect(a.text).toBe(b.text));
  });
  test('crash in a check', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check }) => {
    const agent = await given.agent();
    const a = await agent.transferOut(place('everywhere'));
    await check('TRANSFER-RAIL-UNKNOWN', () => { if (a.accepted) throw new Error('our own error with ' + a.body.asTexts); });
  });

  test('a condition', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, need }) => {
    const agent = await given.agent();
    const a = await agent.transferOut(place('everywhere'));
    need.that(false, 'it takes more than ' + a.body.asTexts);
  });
  test('an offer', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, need }) => {
    const agent = await given.agent();
    const a = await agent.transferOut(place('error'));
    need.offered(false, 'it gives ' + a.body.message);
  });
  test('a control', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, need }) => {
    const agent = await given.agent();
    need(await agent.transferOut(place('error'), { label: 'with ' + agent.state.contactCode + ' and ' + agent.authorization })).accepted();
  });
  test('no state', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given }) => {
    await given.agent();
    await given.foreignAccounts();
  });
  test('generated', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, check }) => {
    const agent = await given.agent();
    await check('TRANSFER-RAIL-UNKNOWN', () => explore(fc.constantFrom('a', 'b'), async () => {
      const a = await agent.transferOut(place('everywhere'));
      expect(a.body.echo).toBe('nothing');
    }));
  });
});`;

const EVERY_WRITER = {
  settings: "use: { trace: 'on' },",
  reporters: `
    ['line'],
    ['json', { outputFile: folder + '/playwright.json' }],
    ['html', { outputFolder: folder + '/html', open: 'never' }],
    ['blob', { outputDir: folder + '/blob' }],
    ['junit', { outputFile: folder + '/playwright.xml' }],`,
};

test('no secret reaches any file of any reporter, any trace or any output, in any form', async () => {
  test.setTimeout(180_000);
  await using service = await hostileService();
  const env = { ...service.env, A_STAMP: CANARIES.stamp };
  const { folder, output, report } = await runSpecs(SPEC, env, [], EVERY_WRITER);
  const texts = [
    { name: 'the output', content: Buffer.from(output) },
    ...filesBelow(folder).flatMap(filesWithin),
  ];

  // Every writer has written, else its silence proves nothing.
  expect(report?.rules.find(({ id }) => id === 'TRANSFER-ACCEPTED')?.verdict).toBe('violated');
  for (const name of [
    'exchanges.ndjson',
    'allure-results',
    'playwright.json',
    'playwright.xml',
    'trace.zip > test.trace',
    '.zip > report.jsonl',
    'html/index.html > report.json',
  ])
    expect(
      texts.some((text) => text.name.includes(name)),
      name,
    ).toBe(true);

  const leaks = new Set<string>();
  for (const { name, content } of texts) {
    const text = content.toString('latin1');
    for (const [what, form] of FORMS)
      if (text.includes(form)) leaks.add(`${name.replace(/[0-9a-f-]{20,}/g, '…')}: ${what}`);
  }
  expect([...leaks].sort()).toEqual([]);
});

/** What to look for: the beginning of each secret, as a cut may leave it, in every form. */
const FORMS: readonly (readonly [string, string])[] = [
  ...Object.entries(CANARIES).map(([what, canary]) => [what, startOf(canary)] as const),
  ['unregistered token', 'unregistered-Canary'] as const,
  ['Basic', `${CLIENT_ID}:kc7`] as const,
].flatMap(([what, start]) => formsOf(start).map(([form, text]) => [`${what}, ${form}`, text] as const));

function startOf(canary: string): string {
  if (canary.startsWith('{')) return '04kk5Canary8';
  return /^\d+$/.test(canary) ? canary : canary.slice(0, canary.startsWith('eyJ') ? 40 : 14);
}

function formsOf(text: string): readonly (readonly [string, string])[] {
  const units = (write: (code: number) => string) =>
    text
      .split('')
      .map((one) => write(one.charCodeAt(0)))
      .join('');
  const hex = Buffer.from(text).toString('hex');
  return [
    ['plain', text],
    ['hexadecimal', hex],
    ['upper hexadecimal', hex.toUpperCase()],
    ['percent-encoded', units((code) => `%${code.toString(16)}`)],
    ['upper percent-encoded', units((code) => `%${code.toString(16).toUpperCase()}`)],
    ['\\u', units((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
    ['HTML', units((code) => `&#${code};`)],
    ['hexadecimal HTML', units((code) => `&#x${code.toString(16)};`)],
    ...[0, 1, 2].map((before) => [`base64 after ${before}`, base64Within(text, before)] as const),
  ];
}

/** The characters of base64 that a text decides alone, where so many bytes stand before it. */
function base64Within(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

interface Written {
  readonly name: string;
  readonly content: Buffer;
}

function filesBelow(folder: string): readonly Written[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, content: readFileSync(join(folder, name)) }));
}

/** A file with all that is packed into it: traces, blobs, and the archive within Playwright's page. */
function filesWithin(file: Written): readonly Written[] {
  const inside = (zip: Buffer) =>
    unzip(zip).flatMap(({ name, content }) => filesWithin({ name: `${file.name} > ${name}`, content }));
  if (file.content.subarray(0, 2).toString('latin1') === 'PK') return inside(file.content);
  const packed = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(
    file.name.endsWith('.html') ? file.content.toString('latin1') : '',
  )?.[1];
  return packed === undefined ? [file] : [file, ...inside(Buffer.from(packed, 'base64'))];
}
