import { expect } from '@playwright/test';
import { type Forwarded, type Mischief, changed } from '../proxy.ts';
import type { HostileRow } from '../run-hostile.ts';

const HOUR_S = 3_600;
const MOST_SECONDS = 240;
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
    verdict: 'violated',
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
