import { placeOf } from '../../journal/findings.ts';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { buildReport } from '../../reports/verdicts/build-report.ts';
import { historyLine } from '../../reports/folder/history.ts';
import { withReproducers } from '../../reports/reproduce/reproducers.ts';
import { type TestRecord } from '../../reports/journals/evidence.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { htmlPage } from '../../reports/html/page.ts';
import { exchangeIndex } from '../../reports/write/report-files.ts';
import type { Finding } from '../../journal/types.ts';
import {
  exchange,
  finding,
  journal,
  record,
  sampleInput,
  sampleReport,
  type SampleOptions,
} from './sample.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);

const pageOf = (options: SampleOptions) => {
  const { input, report } = sampleReport(options);
  return htmlPage(report, exchangeIndex(input.tests));
};

test('the page is whole: every rule and every reason is in it, and nothing is loaded from anywhere', () => {
  const { input, report } = sampleReport({ defects: 5 });
  const html = htmlPage(report, exchangeIndex(input.tests));
  expect(html).not.toMatch(/<(?:link|iframe|img|object)\b|<script[^>]+src|@import|url\(/i);
  for (const each of report.rules) expect(html).toContain(`<tr id="${each.id}"`);
  expect(html).toContain('Only the books of the service could show it.');
});

const clean = sampleInput({ defects: 0 });
for (const [what, input, headline] of [
  ['violations', sampleInput({ defects: 3 }), 'Violations found'],
  ['open rules', clean, 'This run has not shown enough'],
  ['no tests', { ...clean, tests: [] }, 'This run has not shown enough'],
  [
    'accepted rules',
    { ...clean, accepted: new Map(clean.rules.map(({ id }) => [id, 'No sandbox for it.'])) },
    'No violation found',
  ],
  ['an error', { ...clean, errors: ['oops'] }, 'This run could not judge the target'],
] as const)
  test(`the headline of a run with ${what} never says more than the run showed`, () =>
    expect(htmlPage(buildReport(input), new Map())).toContain(`<h2 id="summary-title">${headline}</h2>`));

test('the page says what would mend open rules, what is accepted, what was repeated, and what comes and goes', () => {
  const input = sampleInput({ defects: 1 });
  const [first, ...tests] = input.tests as readonly [TestRecord, ...TestRecord[]];
  const [finding] = first.journal?.findings as readonly [Finding];
  const broken = {
    ...first,
    steadiness: new Map([[placeOf(finding), 'intermittent' as const]]),
    repeat: { why: 'it was broken', outcome: 'different' as const },
  };
  const accepted = new Map([[input.rules.at(-2)?.id ?? '', 'No sandbox for it.']]);
  const html = htmlPage(buildReport({ ...input, tests: [broken, ...tests], accepted }), new Map());
  for (const text of [
    '<span>wait for Assay: it has no check of this rule yet</span>',
    'Accepted: No sandbox for it. (No check exists yet.)',
    '1 test was repeated: 1 showed something else.',
    'a repeat did not show it',
  ])
    expect(html).toContain(text);
});

const ATTACK = `</pre></script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">' onload='`;

function attackedPage(): string {
  const [one, two] = clean.rules.map(({ id }) => id) as [string, string];
  const attacked = exchange('1', {
    label: ATTACK,
    request: { method: 'POST', url: ATTACK, headers: { [ATTACK]: ATTACK }, body: ATTACK },
    response: { status: 200, headers: { 'x-a': ATTACK }, body: ATTACK },
  });
  const found = finding({
    ...{ rule: one, place: ATTACK, message: ATTACK, exchanges: ['1'] },
    counterexample: { seed: 1, path: ATTACK, input: ATTACK, runs: 1 },
  });
  const observations = [{ question: ATTACK, answer: ATTACK, exchanges: ['1'] }];
  const left = journal({ findings: [found], observations, exchanges: [attacked] });
  const tests = [
    record({ label: ATTACK, journal: left }),
    record({ label: ATTACK, rules: [two], standing: 'crashed', reason: ATTACK }),
  ];
  const said = { name: ATTACK, baseUrl: ATTACK, brand: ATTACK, capabilities: [ATTACK] };
  const assay = { target: { ...clean.assay.target, ...said } };
  return htmlPage(buildReport({ ...clean, assay, tests }), exchangeIndex(tests));
}

test('what a target says is text, never markup', () => {
  const html = attackedPage();
  expect(html).not.toContain('<script>window');
  expect(html).not.toContain('<img');
  expect(html.match(/<script[ >]/g)).toHaveLength(3);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
});

test('a defect tells what was prepared, sent, expected and came, and shows the control', () => {
  const html = storyPage();
  for (const text of [
    'the state “agent” with approvalThreshold 10000',
    '<mark>APPROVED</mark>',
    '<mark>  &quot;status&quot;: &quot;APPROVED&quot;,</mark>',
    'The control beside it',
    'SEED=7 npx playwright test specs/agents/approval.spec.ts:12',
    'node reproduce/AGENT-APPROVAL-A.mjs',
    'in each of 3 runs',
  ])
    expect(html).toContain(text);
});

/** A run with one defect of which everything is known. */
function storyPage(): string {
  const input = sampleInput({ defects: 0, rulesPerArea: 8 });
  const id = input.rules[0]?.id ?? '';
  const found = finding({
    ...{ rule: id, message: 'expected status PENDING_APPROVAL, got APPROVED', exchanges: ['t.2'] },
    looked: [{ exchange: 't.2', pointers: ['#status', '/status'] }],
    line: 'specs/agents/approval.spec.ts:18',
  });
  const state = {
    ...{ id: 't.s1', state: 'agent', params: { approvalThreshold: 10_000 }, values: {} },
    ...({ by: 'provider-states', at: '2026-11-21T10:20:30.000Z' } as const),
  };
  const tests = [
    record({
      label: 'agents/approval.spec.ts › waits',
      location: 'specs/agents/approval.spec.ts:12',
      standing: 'stopped',
      outcome: 'failed',
      journal: journal({
        rules: [id],
        prepared: [state],
        exchanges: [exchange('t.1', { label: 'transfer at the threshold' }), exchange('t.2')],
        controls: ['t.1'],
        findings: [found],
      }),
    }),
  ];
  const [first, baseline] = [19, 20].map((day) =>
    buildReport({ ...input, tests, startedAt: `2026-11-${day}T10:20:00.000Z` }),
  ) as [ConformanceReport, ConformanceReport];
  const history = [first, baseline].map(historyLine);
  const target = { ...input.assay.target, embedded: true, baseUrl: 'the embedded sandbox' };
  const assay = { target, seed: 7 };
  const built = buildReport({ ...input, tests, history, baseline, baselineChosen: true, assay });
  const exchanges = exchangeIndex(tests);
  return htmlPage(withReproducers(built, exchanges).report, exchanges, history);
}

test.describe('in a browser', () => {
  test.skip(CHROMIUM === undefined, 'no chromium is installed, so the page cannot be looked at');
  let browser: Browser;
  test.beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
  test.afterEach(() => Promise.all(browser.contexts().map((each) => each.close())));
  test.afterAll(() => browser.close());

  async function open(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
    const dir = test.info().outputDir;
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'index.html'), html);
    await page.goto(pathToFileURL(join(dir, 'index.html')).href);
    return page;
  }

  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  interface AxeResult {
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }[];
  }

  // Each two of colours, width and defects meet.
  for (const [colorScheme, width, defects] of [
    ['light', 1200, 12],
    ['dark', 400, 12],
  ] as const)
    test(`axe finds nothing: ${colorScheme}, ${width} px, ${defects} defects`, async () => {
      // A smaller catalogue has the same elements, and axe takes seconds for each hundred rules.
      const html = pageOf({ defects, rulesPerArea: 6, exchanges: 84 });
      const page = await open(html, { colorScheme, viewport: { width, height: 900 } });
      await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResult>("axe.run({ resultTypes: ['violations'] })");
      const shown = violations.map(
        ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}\n${nodes[0]?.failureSummary}`,
      );
      expect(shown).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const)
    for (const defects of [1, 40])
      test(`the first screen holds the answer: ${width} px, ${defects} defects`, async () => {
        const { input } = sampleReport({ defects });
        const before = buildReport({
          ...sampleInput({ defects: 2 }),
          startedAt: '2026-11-20T10:20:00.000Z',
        });
        const html = htmlPage(buildReport({ ...input, baseline: before }), exchangeIndex(input.tests));
        const page = await open(html, { viewport: { width, height } });
        for (const part of [
          page.locator('#summary-title'),
          page.locator('.denominator'),
          page.getByText('no longer verified').first(),
          page.locator('.defect .title').first(),
        ]) {
          const box = await part.boundingBox();
          expect(box).not.toBeNull();
          expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
        }
        // Closed, forty defects are a list; the page of thirty used to be 18,000 pixels long.
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(14_000);
        await page.locator('.defect summary').first().click();
        await expect(page.locator('.defect .happened').first()).toBeVisible();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      });

  test('nothing that a target says is run', async () => {
    const page = await open(attackedPage());
    await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    await expect(page.locator('.exchange').first()).toContainText('<script>window.hacked = 1</script>');
  });

  test('the filter narrows the rules, and a link to a hidden rule shows it', async () => {
    const page = await open(pageOf({ defects: 3 }));
    const rows = page.locator('table.rules tbody tr:not([hidden])');
    const all = await rows.count();
    await page.locator('select[name=verdict]').selectOption('violated');
    await expect(rows).toHaveCount(3);
    await expect(page.locator('#shown')).toHaveText(`3 of ${all} rules shown`);
    expect(page.url()).toContain('#rules?verdict=violated');
    await page.reload();
    await expect(rows).toHaveCount(3);
    await page.locator('select[name=level]').selectOption('MAY');
    await expect(rows).toHaveCount(0);
    await page.evaluate(() => (location.hash = '#GENERAL-STATUS-B'));
    await expect(page.locator('#GENERAL-STATUS-B')).toBeInViewport();
    await expect(rows).toHaveCount(all);
    await page.locator('input[name=text]').fill('quote-time idempotency');
    await expect(rows).not.toHaveCount(all);
  });

  test('without a script everything can still be read', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.setContent(pageOf({ defects: 3 }));
    await expect(page.locator('#filter')).toBeHidden();
    await page.locator('#area-general summary').click();
    await expect(page.locator('#GENERAL-STATUS-B')).toBeVisible();
    await page.locator('.defect summary').first().click();
    await page.locator('.timeline summary').first().click();
    await page.locator('.exchange summary').first().click();
    await expect(page.locator('.exchange pre').first()).toBeVisible();
    await context.close();
  });
});
