/** Single answers that no service should give, each in a test of its own of one run. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Verdict } from '../../reports/verdicts/model.ts';
import { loadRules } from '../../schemas/rules.ts';
import { smallService, ACTION, refuse, runSpecs, send } from '../suite/small-service.ts';
import { DAILY, type Outcome } from '../support/run-assay.ts';
import { COMMANDS, STACK } from './run-hostile.ts';

interface More {
  /** It is trouble of the moment, for all that Assay can know, so that its test is repeated: it needs one of its own. */
  readonly isTrouble?: true;
  /** Rules of shapes that this answer breaks. */
  readonly breaks?: readonly string[];
  /** Assertions over the answer `a`, in place of "it is accepted". */
  readonly asserts?: string;
}

/** One way to answer a transfer-out, and what must come of a check that it was accepted. */
type AnswerRow = readonly [
  name: string,
  verdict: Verdict,
  answer: (response: ServerResponse) => void,
  more?: More,
];

const JSON_RULE = 'GENERAL-RESPONSES-JSON';
const TYPE = { 'content-type': 'application/json' };
const whole =
  (body: string | Buffer, headers: Record<string, string> = TYPE) =>
  (response: ServerResponse) =>
    void response.writeHead(201, headers).end(body);
const text = JSON.stringify(ACTION);
/** The right answer with one more field, or another value, as text. */
const withField = (name: string, json: string) =>
  whole(`${text.slice(0, -1)},${JSON.stringify(name)}:${json}}`);
const changed = (from: string, to: string) => whole(text.replace(from, to));
const raw = (length: number) => (response: ServerResponse) =>
  void response.socket?.end(
    `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${text}`,
  );

/** What steers a terminal, a page or a program, in the places where a target's words are shown. */
const EVIL =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u001b[31mred\u009b32m\u001b]8;;http://evil\u0007\u202egnp\u0000\u2028${7*7}';
const evilError = {
  status: 400,
  code: EVIL,
  message: EVIL,
  details: { [EVIL]: EVIL, errors: [{ field: EVIL }] },
};
const evilHeaders = { location: '/\u009b31m?<script>', 'x-text': '\u0085\u009d8;;http://evil' };

const APPROVED = `expect(a).toHaveStatus('APPROVED')`;
const REFUSED = `expect(a).not.toHaveCode('INVALID_AMOUNT')`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const known = `{"__proto__":{"status":"REJECTED"},"constructor":{"prototype":{"id":1}},"toString":1,"then":2,`;
const inherited = text.replace('"status":"APPROVED"', '"__proto__":{"status":"APPROVED"}');
const latin1 = Buffer.from(`${text.slice(0, -1)},"more":"caf\u00e9"}`, 'latin1');
const evilAction = { ...ACTION, status: EVIL, [EVIL]: EVIL, createdAt: EVIL };
const NO_JSON: More = { breaks: [JSON_RULE], asserts: APPROVED };
const error =
  (status: number, code = 'INTERNAL_ERROR') =>
  (response: ServerResponse) =>
    refuse(response, status, code);

const ANSWER_ROWS: readonly AnswerRow[] = [
  ['right', 'verified', whole(text)],
  [
    '20,000 arrays in each other, in a field that nobody knows',
    'verified',
    withField('more', nested(20_000)),
  ],
  [
    '200,000 arrays in each other in place of an object',
    'inconclusive',
    whole(nested(200_000)),
    { breaks: ['ACTION-OBJECT'], asserts: APPROVED },
  ],
  ['lone surrogates', 'verified', withField('more', '"\\ud800 \\udc00x"')],
  ['UTF-16', 'inconclusive', whole(Buffer.from(text, 'utf16le')), NO_JSON],
  ['Latin-1', 'verified', whole(latin1), { breaks: [JSON_RULE] }],
  ['a name that comes twice', 'inconclusive', whole(`${text.slice(0, -1)},"status":"REJECTED"}`)],
  [
    'compressed unasked',
    'inconclusive',
    whole(gzipSync(text), { ...TYPE, 'content-encoding': 'gzip' }),
    { isTrouble: true },
  ],
  ['a length that is too long', 'inconclusive', raw(text.length + 9), { isTrouble: true }],
  ['a length that is too short', 'inconclusive', raw(text.length - 9), NO_JSON],
  ['10 MB of white space', 'verified', changed('{', `{${' '.repeat(10_000_000)}`)],
  ['names that programs know', 'verified', whole(known + text.slice(1)), { asserts: APPROVED }],
  [
    'a status that is inherited only',
    'inconclusive',
    whole(inherited),
    { breaks: ['ACTION-STATUS'], asserts: APPROVED },
  ],
  [
    'an amount beyond all numbers',
    'verified',
    changed('"amount":1000', '"amount":1e400'),
    { breaks: ['ACTION-TRANSFER-AMOUNT'] },
  ],
  ['numbers at the edge', 'verified', withField('more', `[-0, 5e-324, 1e400, ${'1234567890'.repeat(3)}]`)],
  [
    'a refusal full of commands',
    'violated',
    (response) => send(response, 400, evilError, evilHeaders),
    { breaks: ['ERROR-CODE-400'], asserts: `expect(a).toHaveCode('INVALID_AMOUNT')` },
  ],
  [
    'an acceptance full of commands',
    'inconclusive',
    (response) => send(response, 201, evilAction, evilHeaders),
    { breaks: ['ACTION-STATUS', 'ACTION-CREATED-AT'], asserts: APPROVED },
  ],
  [
    'a redirect to commands',
    'violated',
    (response) => void response.writeHead(302, evilHeaders).end(),
    { isTrouble: true },
  ],
  ['a clear refusal', 'violated', error(400, 'INVALID_INPUT')],
  ['each time a 500', 'violated', error(500), { isTrouble: true }],
  ['each time a 502', 'inconclusive', error(502), { isTrouble: true }],
  [
    'each time a 500, where something is only not to be',
    'violated',
    error(500),
    { isTrouble: true, asserts: REFUSED },
  ],
];

/** Each row has a rule of its own, on which its check stands; one that follows from another would be taken back with it. */
const RULES = loadRules()
  .filter(
    ({ id, level, excluded, follows }) =>
      id.startsWith('TRANSFER-') && level === 'MUST' && excluded === undefined && follows === undefined,
  )
  .map(({ id }) => id);

/** Asks for an answer, and checks it. */
const step = ([name, , , { asserts = 'expect(a).toBeAccepted()' } = {}]: AnswerRow, rule: string) =>
  `{
     const a = await agent.transferOut({ remittanceInformation: ${JSON.stringify(name)} });
     await check('${rule}', () => ${asserts});
   }`;

const flow = (title: string, rows: readonly (readonly [AnswerRow, string])[]) =>
  `test(${JSON.stringify(title)}, verifies(${rows.map(([, rule]) => `'${rule}'`).join(', ')}), async ({ given, check }) => {
     const agent = await given.agent();
     ${rows.map(([row, rule]) => step(row, rule)).join('\n')}
   });`;

const PAIRS = ANSWER_ROWS.map((row, index) => [row, RULES[index] as string] as const);
const SPEC = [
  flow(
    'no trouble',
    PAIRS.filter(([[, , , more]]) => !more?.isTrouble),
  ),
  ...PAIRS.filter(([[, , , more]]) => more?.isTrouble).map((pair) => flow(pair[0][0], [pair])),
].join('\n');

test.describe('single answers', DAILY, () => {
  test.describe.configure({ mode: 'serial' });
  let outcome: Outcome;

  test.beforeAll(async () => {
    test.setTimeout(600_000);
    await using service = await smallService(({ response, body }) =>
      ANSWER_ROWS.find(([name]) => name === body.remittanceInformation)?.[2](response),
    );
    outcome = await runSpecs(SPEC, service.env);
  });

  for (const [index, [name, verdict]] of ANSWER_ROWS.entries())
    test(`${name}: ${verdict}`, () => {
      const row = outcome.report?.rules.find(({ id }) => id === RULES[index]);
      expect(row?.verdict, row?.reason).toBe(verdict);
    });

  test('nobody else is accused, nothing crashes, and nothing steers the terminal or the page', () => {
    const { report, output, folder } = outcome;
    const accused = ANSWER_ROWS.flatMap(([, verdict, , { breaks = [] } = {}], index) => [
      ...breaks,
      ...(verdict === 'violated' ? [RULES[index] as string] : []),
    ]);
    const violated = report?.rules.filter((rule) => rule.verdict === 'violated').map(({ id }) => id);
    expect(violated?.sort()).toEqual([...new Set(accused)].sort());
    expect(report?.run.engineErrors).toEqual([]);
    expect(outcome.code).toBe(1);
    expect(output).not.toMatch(COMMANDS);
    expect(output).not.toMatch(STACK);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script>alert|<img src=x/);
  });
});
