import { create } from 'xmlbuilder2';
import type { ConformanceReport, RunVerdict } from '../verdicts/model.ts';
import { applicable } from '../verdicts/totals.ts';

const LABEL = 'conformance';
const COLOURS: Readonly<Record<RunVerdict, string>> = {
  conforming: '#256d3f',
  violated: '#b3261e',
  incomplete: '#6b5b00',
  'not judged': '#6b5b00',
};

/** What the badge says: the denominator is always part of it. */
function badgeMessage(report: ConformanceReport): string {
  const must = report.totals.MUST;
  if (report.verdict === 'not judged') return 'not judged';
  const verified = `${must.verified} of ${applicable(must)} MUST verified`;
  if (must.violated > 0) return `${must.violated} violated, ${verified}`;
  if (report.verdict === 'incomplete') return `incomplete, ${verified}`;
  return report.verdict === 'violated' ? `SHOULD violated, ${verified}` : verified;
}

/** badge.json: the endpoint format of shields.io. */
export function badgeJson(report: ConformanceReport): string {
  const badge = {
    schemaVersion: 1,
    label: LABEL,
    message: badgeMessage(report),
    color: COLOURS[report.verdict].slice(1),
    isError: report.verdict !== 'conforming',
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}

/** badge.svg: the same as a small picture that needs no server. */
export function badgeSvg(report: ConformanceReport): string {
  const message = badgeMessage(report);
  const left = width(LABEL);
  const right = width(message);
  const svg = create().ele('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width: left + right,
    height: 20,
    role: 'img',
    'aria-label': `${LABEL}: ${message}`,
  });
  svg.ele('title').txt(`${LABEL}: ${message}`);
  svg.ele('rect', { width: left + right, height: 20, rx: 3, fill: '#3c4149' });
  svg.ele('path', {
    d: `M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z`,
    fill: COLOURS[report.verdict],
  });
  const text = svg.ele('g', {
    fill: '#fff',
    'text-anchor': 'middle',
    'font-family': 'Verdana,DejaVu Sans,sans-serif',
    'font-size': 11,
  });
  text.ele('text', { x: left / 2, y: 14 }).txt(LABEL);
  text.ele('text', { x: left + right / 2, y: 14 }).txt(message);
  return `${svg.end({ headless: true })}\n`;
}

/** Room for a text at 11 px with a margin on both sides; 6.6 px is the mean advance of Verdana at this size. */
function width(text: string): number {
  return Math.round(text.length * 6.6) + 12;
}
