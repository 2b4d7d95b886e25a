import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { buildReport } from '../../reports/build.ts';
import { placeOf, type TestRecord } from '../../reports/evidence.ts';
import { htmlPage } from '../../reports/html/page.ts';
import { exchangeIndex } from '../../reports/write/ndjson.ts';
import type { Finding } from '../../suite/journal/types.ts';
import { exchange, journal, record, sampleInput, sampleReport, type SampleOptions } from './sample.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);

const pageOf = (options: SampleOptions) => {
  const { input, report } = sampleReport(options);
  return htmlPage(report, exchangeIndex(input.tests));
};

test('the page is whole: nothing is loaded from anywhere', () => {
  const html = pageOf({ defects: 5 });
  expect(html).not.toMatch(/<(?:link|iframe|img|object)\b|<script[^>]+src|@import|url\(/i);
});

test('the headline never says more than the run showed', () => {
  const headline = (input: ReturnType<typeof sampleInput>) =>
    /<h2 id="summary-title">(.*?)<\/h2>/.exec(htmlPage(buildReport(input), new Map()))?.[1];
  const input = sampleInput({ defects: 0 });
  const everything = new Map(input.rules.map((each) => [each.id, 'No sandbox for it.']));
  expect(headline(sampleInput({ defects: 3 }))).toBe('Violations found');
  expect(headline(input)).toBe('This run has not shown enough');
  expect(headline({ ...input, tests: [] })).toBe('This run has not shown enough');
  expect(headline({ ...input, accepted: everything })).toBe('No violation found');
  expect(headline({ ...input, errors: ['oops'] })).toBe('This run could not judge the target');
});

test('the page says what would mend open rules, what is accepted, what was repeated, and what comes and goes', () => {
  const input = sampleInput({ defects: 1 });
  const [first, ...tests] = input.tests;
  const [finding] = first?.journal?.findings ?? [];
  const accepted = new Map([[input.rules.at(-2)?.id ?? '', 'No sandbox for it.']]);
  const broken = {
    ...(first as TestRecord),
    steadiness: new Map([[placeOf(finding as Finding), 'intermittent' as const]]),
    repeat: { why: 'it was broken', outcome: 'different' as const },
  };
  const html = htmlPage(buildReport({ ...input, tests: [broken, ...tests], accepted }), new Map());
  expect(html).toContain('<span>wait for Assay: it has no check of this rule yet</span>');
  expect(html).toContain('Accepted: No sandbox for it. (No check exists yet.)');
  expect(html).toContain('1 test was repeated: 1 showed something else.');
  expect(html).toContain('a repeat did not show it');
});

test('every rule and every reason is in the page', () => {
  const { input, report } = sampleReport({ defects: 3 });
  const html = htmlPage(report, exchangeIndex(input.tests));
  for (const each of report.rules) expect(html).toContain(`<tr id="${each.id}"`);
  expect(html).toContain('Only the books of the service could show it.');
});

const ATTACK = `</pre></script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">' onload='`;

function attackedPage(): string {
  const input = sampleInput({ defects: 0 });
  const id = input.rules[0]?.id ?? '';
  const attacked = exchange('1', {
    label: ATTACK,
    request: { method: 'POST', url: ATTACK, headers: { [ATTACK]: ATTACK }, body: ATTACK },
    response: { status: 200, headers: { 'x-a': ATTACK }, body: ATTACK },
  });
  const finding = {
    rule: id,
    place: ATTACK,
    message: ATTACK,
    exchanges: ['1'],
    counterexample: { seed: 1, path: ATTACK, input: ATTACK, runs: 1 },
  };
  const observation = { question: ATTACK, answer: ATTACK, exchanges: ['1'] };
  const tests = [
    record({
      label: ATTACK,
      journal: journal({ findings: [finding], observations: [observation], exchanges: [attacked] }),
    }),
    record({ label: ATTACK, rules: [input.rules[1]?.id ?? ''], standing: 'crashed', reason: ATTACK }),
  ];
  const assay = {
    target: { ...input.assay.target, name: ATTACK, baseUrl: ATTACK, brand: ATTACK, capabilities: [ATTACK] },
  };
  return htmlPage(buildReport({ ...input, assay, tests }), exchangeIndex(tests));
}

test('what a target says is text, never markup', () => {
  const html = attackedPage();
  expect(html).not.toContain('<script>window');
  expect(html).not.toContain('<img');
  expect(html.match(/<script[ >]/g)).toHaveLength(3);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
});

test('five thousand exchanges leave the page small', () => {
  const started = performance.now();
  const html = pageOf({ defects: 60, exchanges: 5_000 });
  expect(html.length).toBeLessThan(1_500_000);
  // Measured: 0.1 s on two busy cores.
  expect(performance.now() - started).toBeLessThan(3_000);
});

test.describe('in a browser', () => {
  test.skip(CHROMIUM === undefined, 'no chromium is installed, so the page cannot be looked at');
  let browser: Browser;
  test.beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
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

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1200, 400]) {
      for (const defects of [0, 12]) {
        test(`axe finds nothing: ${colorScheme}, ${width} px, ${defects} defects`, async () => {
          // A smaller catalogue has the same elements, and axe takes seconds for each hundred rules.
          const html = pageOf({ defects, rulesPerArea: 8 });
          const page = await open(html, { colorScheme, viewport: { width, height: 900 } });
          await page.evaluate(() =>
            document.querySelectorAll('details').forEach((each) => (each.open = true)),
          );
          await page.evaluate(axe);
          const { violations } = await page.evaluate<AxeResult>('axe.run()');
          const shown = violations.map(
            ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}\n${nodes[0]?.failureSummary}`,
          );
          expect(shown).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        });
      }
    }
  }

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

  test('an address that is badly encoded leaves the script alive', async () => {
    const page = await open(pageOf({ defects: 3, rulesPerArea: 8 }));
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${page.url()}#%E0%A4%A`);
    await page.reload();
    await expect(page.locator('#filter')).toBeVisible();
    expect(errors).toEqual([]);
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
