/** Single answers that no service should give, each in a test of its own of one run. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Verdict } from '../../reports/model.ts';
import { loadRules } from '../../schemas/rules.ts';
import { runSpecs } from '../suite/run-specs.ts';
import { smallService, ACTION, refuse, send } from '../suite/small-service.ts';
import type { Outcome } from '../support/run-assay.ts';
import { COMMANDS, STACK } from './run-hostile.ts';

/** One way to answer a transfer-out, and what must come of a check that it was accepted. */
interface AnswerRow {
  readonly name: string;
  readonly answer: (response: ServerResponse) => void;
  readonly verdict: Verdict;
  /** It is trouble of the moment, for all that Assay can know, so that its test is repeated: it needs one of its own. */
  readonly isTrouble?: true;
  /** Rules of shapes that this answer breaks. */
  readonly breaks?: readonly string[];
  /** Assertions over the answer `a`, in place of "it is accepted". */
  readonly asserts?: string;
}

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

const ANSWER_ROWS: readonly AnswerRow[] = [
  { name: 'right', answer: whole(text), verdict: 'verified' },
  {
    name: '20,000 arrays in each other, in a field that nobody knows',
    answer: withField('more', `${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    verdict: 'verified',
  },
  {
    name: '200,000 arrays in each other in place of an object',
    answer: whole(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    verdict: 'inconclusive',
    breaks: ['ACTION-OBJECT'],
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  { name: 'lone surrogates', answer: withField('more', '"\\ud800 \\udc00x"'), verdict: 'verified' },
  {
    name: 'UTF-16',
    answer: whole(Buffer.from(text, 'utf16le')),
    verdict: 'inconclusive',
    breaks: [JSON_RULE],
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  {
    name: 'Latin-1',
    answer: whole(Buffer.from(`${text.slice(0, -1)},"more":"caf\u00e9"}`, 'latin1')),
    verdict: 'verified',
    breaks: [JSON_RULE],
  },
  {
    name: 'a name that comes twice',
    answer: whole(`${text.slice(0, -1)},"status":"REJECTED"}`),
    verdict: 'inconclusive',
  },
  {
    name: 'compressed unasked',
    isTrouble: true,
    answer: whole(gzipSync(text), { ...TYPE, 'content-encoding': 'gzip' }),
    verdict: 'inconclusive',
  },
  {
    name: 'a length that is too long',
    isTrouble: true,
    answer: raw(text.length + 9),
    verdict: 'inconclusive',
  },
  {
    name: 'a length that is too short',
    answer: raw(text.length - 9),
    verdict: 'inconclusive',
    breaks: [JSON_RULE],
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  {
    name: '10 MB of white space',
    answer: whole(text.replace('{', `{${' '.repeat(10_000_000)}`)),
    verdict: 'verified',
  },
  {
    name: 'names that programs know',
    answer: whole(
      `{"__proto__":{"status":"REJECTED"},"constructor":{"prototype":{"id":1}},"toString":1,"then":2,${text.slice(1)}`,
    ),
    verdict: 'verified',
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  {
    name: 'a status that is inherited only',
    answer: whole(text.replace('"status":"APPROVED"', '"__proto__":{"status":"APPROVED"}')),
    verdict: 'inconclusive',
    breaks: ['ACTION-STATUS'],
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  {
    name: 'an amount beyond all numbers',
    answer: changed('"amount":1000', '"amount":1e400'),
    verdict: 'verified',
    breaks: ['ACTION-TRANSFER-AMOUNT'],
  },
  {
    name: 'numbers at the edge',
    answer: withField('more', '[-0, 5e-324, 1e400, 123456789012345678901234567890]'),
    verdict: 'verified',
  },
  {
    name: 'a refusal full of commands',
    answer: (response) => send(response, 400, evilError, evilHeaders),
    verdict: 'inconclusive',
    breaks: ['ERROR-CODE-400'],
    asserts: `expect(a).toHaveCode('INVALID_AMOUNT')`,
  },
  {
    name: 'an acceptance full of commands',
    answer: (response) =>
      send(response, 201, { ...ACTION, status: EVIL, [EVIL]: EVIL, createdAt: EVIL }, evilHeaders),
    verdict: 'inconclusive',
    breaks: ['ACTION-STATUS', 'ACTION-CREATED-AT'],
    asserts: `expect(a).toHaveStatus('APPROVED')`,
  },
  {
    name: 'a redirect to commands',
    isTrouble: true,
    answer: (response) => void response.writeHead(302, evilHeaders).end(),
    verdict: 'violated',
  },
  {
    name: 'a clear refusal',
    answer: (response) => refuse(response, 400, 'INVALID_INPUT'),
    verdict: 'violated',
  },
  {
    name: 'each time a 500',
    isTrouble: true,
    answer: (response) => refuse(response, 500, 'INTERNAL_ERROR'),
    verdict: 'violated',
  },
  {
    name: 'each time a 502',
    isTrouble: true,
    answer: (response) => refuse(response, 502, 'INTERNAL_ERROR'),
    verdict: 'inconclusive',
  },
  {
    name: 'each time a 500, where something is only not to be',
    isTrouble: true,
    answer: (response) => refuse(response, 500, 'INTERNAL_ERROR'),
    verdict: 'inconclusive',
    asserts: `expect(a).not.toHaveCode('INVALID_AMOUNT')`,
  },
];

/** Each row has a rule of its own, on which its check stands; one that follows from another would be taken back with it. */
const RULES = loadRules()
  .filter(
    ({ id, level, excluded, follows }) =>
      id.startsWith('TRANSFER-') && level === 'MUST' && excluded === undefined && follows === undefined,
  )
  .map(({ id }) => id);

/** Asks for an answer, and checks it. */
const step = ({ name, asserts = 'expect(a).toBeAccepted()' }: AnswerRow, rule: string) =>
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
    PAIRS.filter(([{ isTrouble }]) => !isTrouble),
  ),
  ...PAIRS.filter(([{ isTrouble }]) => isTrouble).map((pair) => flow(pair[0].name, [pair])),
].join('\n');

test.describe('single answers', () => {
  test.describe.configure({ mode: 'serial' });
  let outcome: Outcome;

  test.beforeAll(async () => {
    test.setTimeout(600_000);
    await using service = await smallService(({ response, body }) =>
      ANSWER_ROWS.find(({ name }) => name === body.remittanceInformation)?.answer(response),
    );
    outcome = await runSpecs(SPEC, service.env);
  });

  for (const [index, { name, verdict }] of ANSWER_ROWS.entries())
    test(`${name}: ${verdict}`, () => {
      const row = outcome.report?.rules.find(({ id }) => id === RULES[index]);
      expect(row?.verdict, row?.reason).toBe(verdict);
    });

  test('nobody else is accused, nothing crashes, and nothing steers the terminal or the page', () => {
    const { report, output, folder } = outcome;
    const accused = ANSWER_ROWS.flatMap(({ verdict, breaks = [] }, index) => [
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
