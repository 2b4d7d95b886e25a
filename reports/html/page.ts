import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { HistoryLine } from '../folder/history.ts';
import type { ConformanceReport, ExchangeIndex } from '../verdicts/model.ts';
import { pageView } from './view.ts';

/** Draws the pictures, as SVG in the page's own colours. A closing tag within it would end its element. */
const library = readFileSync(createRequire(import.meta.url).resolve('chartist/dist/index.umd.js'), 'utf8')
  .replace(/^\/\/# sourceMappingURL=.*$/m, '')
  .replaceAll('</script', '<\\/script');

const views = fileURLToPath(new URL('.', import.meta.url));
// No trimming: a line break after a tag is part of what <pre> shows.
const eta = new Eta({ views, cache: true, autoEscape: true, autoTrim: false });

/**
 * index.html: one page that opens from disk, offline, with everything in it. All values pass the escaping of the
 * templates; only our own style sheet and script are inserted raw.
 *
 * @param exchanges all exchanges of the run by id; only the evidence of defects and a few samples are embedded
 */
export function htmlPage(
  report: ConformanceReport,
  exchanges: ExchangeIndex,
  history: readonly HistoryLine[] = [],
): string {
  const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  return eta.render('./page', {
    ...pageView(report, exchanges, history),
    style: asset('./page.css'),
    script: asset('./page.client.js'),
    library,
  });
}
