import { expect } from '@playwright/test';
import { answer, errorOf, page, type Forwarded, type Mischief, type Passing, changed } from '../proxy.ts';
import type { HostileRow } from '../run-hostile.ts';

const MOST_SECONDS = 240;
const FAULT = errorOf(500, 'INTERNAL_ERROR');
const TEXT = answer(400, 'Bad Request', { 'content-type': 'text/plain' });

/** What is asked, as far as the rows below look at it. */
interface Asked {
  readonly operation: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const isTransfer = ({ operation }: Asked) => operation.endsWith('POST transfer-out');
const withoutDestination = (asked: Asked) =>
  isTransfer(asked) && asked.body !== undefined && !('destination' in asked.body);
const isNoJson = ({ operation, text, body }: Asked) =>
  operation.includes('POST') && text.startsWith('{') && body === undefined;

const each =
  (is: (asked: Asked) => boolean, answered: Forwarded): Mischief =>
  (passing) =>
    is(asked(passing)) ? answered : true;

/** Answers each decision on an action that was decided before. */
function secondDecision(answered: Forwarded): Mischief {
  const decided = new Set<string>();
  return async (passing) => {
    const { operation } = asked(passing);
    if (!/ POST (?:approve|reject)$/.test(operation)) return true;
    const action = operation.split(' ')[0] ?? '';
    if (decided.has(action)) return answered;
    const right = await passing.forward();
    if (right.status < 300) decided.add(action);
    return right;
  };
}

const REQUEST_SPECS = ['request-fields', 'refused-transfers'].map(agents);
const DECISION_SPECS = ['decisions', 'approval'].map(agents);

const ROWS: readonly (readonly [
  what: string,
  target: Mischief,
  breaks: readonly string[],
  specs: readonly string[],
])[] = [
  [
    'a 500 for one missing field',
    each(withoutDestination, FAULT),
    ['TRANSFER-INVALID-STATUS'],
    REQUEST_SPECS,
  ],
  [
    'a page for one missing field',
    each(withoutDestination, page(500)),
    ['TRANSFER-INVALID-STATUS', 'GENERAL-RESPONSES-JSON'],
    REQUEST_SPECS,
  ],
  [
    'plain text for one missing field',
    each(withoutDestination, TEXT),
    ['GENERAL-RESPONSES-JSON'],
    REQUEST_SPECS,
  ],
  [
    'an empty body for one missing field',
    each(withoutDestination, answer(400, '', {})),
    ['ERROR-BODY'],
    REQUEST_SPECS,
  ],
  ['a 500 for a body that is no JSON', each(isNoJson, FAULT), ['ERROR-MALFORMED-JSON'], ['specs/errors/']],
  [
    'a 500 for a second decision',
    secondDecision(FAULT),
    ['ACTION-APPROVE-ONLY-PENDING', 'ACTION-REJECT-ONLY-PENDING'],
    DECISION_SPECS,
  ],
];

/** A defect of one request alone, each time: no trouble of the moment, so that it is named. */
export const COMES_BACK: readonly HostileRow[] = ROWS.map(([what, target, breaks, specs]) => ({
  ...{ name: `each time, ${what}`, target, breaks, specs },
  verdict: 'violated',
  mostSeconds: MOST_SECONDS,
}));

function agents(name: string): string {
  return `specs/agents/${name}.spec.ts`;
}

function asked({ request, text }: Passing): Asked {
  const path = (request.url ?? '').split('/');
  const operation = `${path.slice(0, -1).join('/')} ${request.method} ${path.at(-1)}`;
  try {
    return { operation, text, body: JSON.parse(text) as Asked['body'] };
  } catch {
    return { operation, text, body: undefined };
  }
}

const HOUR_S = 3_600;
/** Each test that shows a breach runs twice, in a new worker each time: a few of them show enough. */
const FEW = ['specs/agents/approval.spec.ts'];

/** Each answer is the one that the request before should have had. */
function swapped(): Mischief {
  const before = new Map<string, Forwarded>();
  return async ({ request, forward }) => {
    const kind = `${request.method} ${request.url?.replace(/[?].*|\w+:[\w-]+/g, '')}`;
    const own = await forward();
    const other = before.get(kind) ?? own;
    before.set(kind, own);
    return other;
  };
}

/** Each address gives for ever what it gave first. */
function stale(): Mischief {
  const first = new Map<string, Forwarded>();
  return async ({ request, forward }) => {
    const kind = `${request.method} ${request.url} ${request.headers.authorization}`;
    const own = await forward();
    if (!first.has(kind)) first.set(kind, own);
    return first.get(kind) ?? own;
  };
}

const hourLater = changed((right) => ({
  ...right,
  headers: { ...right.headers, date: new Date(Date.now() + HOUR_S * 1_000).toUTCString() },
}));

/** Targets whose answers are right, but for another request or another time. */
export const OTHERS: readonly HostileRow[] = [
  {
    name: 'each answer is that of another request',
    target: swapped(),
    specs: FEW,
    verdict: 'violated',
    mayBreak: true,
    mostSeconds: MOST_SECONDS,
    also: ({ report }) => expect(report?.defects.length).toBeGreaterThan(0),
  },
  {
    name: 'each answer is an old one',
    target: stale(),
    specs: FEW,
    // Who is shown what was before may see that nothing follows, and accuse nobody: it must not be green.
    verdict: ['violated', 'incomplete'],
    mayBreak: true,
    mostSeconds: MOST_SECONDS,
  },
  {
    name: 'a clock that is an hour ahead',
    target: hourLater,
    before: async (statesUrl) => {
      const { status } = await fetch(statesUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ state: 'clock', params: { advanceSeconds: HOUR_S }, action: 'setup' }),
      });
      expect(status).toBe(200);
    },
    specs: [
      'specs/agents/decisions.spec.ts',
      'specs/credentials/verify-in-one-call.spec.ts',
      'specs/quotes/lifetime.spec.ts',
    ],
    verdict: 'conforming',
    mostSeconds: MOST_SECONDS,
  },
];
