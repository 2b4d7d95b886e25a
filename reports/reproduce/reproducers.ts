import { readFileSync } from 'node:fs';
import type { RecordedExchange } from '../../journal/types.ts';
import type { ConformanceReport, Defect, ExchangeIndex } from '../model.ts';
import { printable } from '../sentences.ts';
import { planOf, type Plan } from './plan.ts';

/** Folder of the files that repeat defects, beside the page. */
export const REPRODUCE_DIR = 'reproduce';
/** A target that breaks more than this is not repaired one script at a time. */
const MOST = 200;

/** A report whose defects name the files that repeat them, and those files by their path. */
export function withReproducers(
  report: ConformanceReport,
  exchanges: ExchangeIndex,
): { readonly report: ConformanceReport; readonly files: Readonly<Record<string, string>> } {
  const files: Record<string, string> = {};
  const defects = report.defects.map((defect, index): Defect => {
    const story = (defect.story?.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? []);
    if (index >= MOST || story.length === 0) return defect;
    const har = `${REPRODUCE_DIR}/${defect.id}.har`;
    files[har] = harOf(story, report.run.assay);
    const plan = planOf(defect, exchanges, report.target);
    if ('why' in plan) return { ...defect, reproducer: { har, noScript: plan.why } };
    const script = `${REPRODUCE_DIR}/${defect.id}.mjs`;
    files[script] = scriptOf(plan);
    return { ...defect, reproducer: { script, har } };
  });
  return { report: { ...report, defects }, files };
}

const PLAYER = new URL('player.js', import.meta.url);

/**
 * One file for Node 20 and later, without packages, that prepares, sends and says whether the breach is there again: exit
 * code 1 when it is, 0 when it is not, 2 when it could not tell. Credentials come from the environment.
 */
export function scriptOf(plan: Plan): string {
  const settings = [
    ...(plan.baseUrl === undefined ? ['BASE_URL'] : []),
    ...(plan.needsPlatform ? ['CLIENT_ID', 'CLIENT_SECRET'] : []),
    ...(plan.needsStates ? ['PROVIDER_STATES_URL'] : []),
  ];
  const shortened = shortIds(plan);
  return [
    `// ${printable(`${plan.rule}: ${plan.title}`, 300)}`,
    `// Set ${settings.join(', ') || 'nothing'}, and run it with Node 20 or later. It ends with 1 where the breach is there again, with 0`,
    '// where it is not, and with 2 where it could not tell. In the texts, ⟦…⟧ stands for what an earlier step gives.',
    `const plan = ${javaScriptOf(shortened)};`,
    '',
    readFileSync(PLAYER, 'utf8'),
  ].join('\n');
}

/** Ids of a test are long, and mean nothing here. */
function shortIds(plan: Plan): Plan {
  const names = new Map(plan.steps.map(({ id }, index) => [id, `${index + 1}`] as const));
  const rename = (text: string) =>
    text.replace(/⟦([^⟧]*)⟧/g, (_whole, inner: string) => {
      const renamed = inner.replace(/(^|\s)([^\s#]+)#/g, (all, space: string, id: string) => {
        const name = names.get(id);
        return name === undefined ? all : `${space}${name}#`;
      });
      return `⟦${renamed}⟧`;
    });
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return rename(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deep(inner)]));
  };
  const steps = plan.steps.map((step) => ({
    ...(deep(step) as Plan['steps'][number]),
    id: names.get(step.id) as string,
  }));
  const seen = plan.seen.map((sight) => ({
    ...sight,
    ...('value' in sight ? { value: deep(sight.value) } : {}),
    exchange: names.get(sight.exchange) ?? sight.exchange,
  }));
  return { ...plan, steps, seen };
}

/** JSON, with what JavaScript reads otherwise written as an escape. */
function javaScriptOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

/** The story as HTTP Archive 1.2, which browsers' developer tools and API clients open. Secrets are masked, as recorded. */
export function harOf(exchanges: readonly RecordedExchange[], version: string): string {
  const log = {
    version: '1.2',
    creator: { name: 'Assay', version },
    pages: [],
    entries: exchanges.filter(({ arrived }) => !arrived).map(entryOf),
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function entryOf({ label, at, milliseconds, request, response, failure }: RecordedExchange) {
  const type = contentType(response?.headers ?? {});
  return {
    startedDateTime: at,
    time: milliseconds,
    comment: failure === undefined ? label : `${label}: ${failure}`,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: contentType(request.headers), text: request.body } }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content: { size: Buffer.byteLength(response?.body ?? ''), mimeType: type, text: response?.body ?? '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(response?.body ?? ''),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  };
}

function pairs(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string) {
  try {
    return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  } catch {
    return [];
  }
}

function contentType(headers: Readonly<Record<string, string>>): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return found?.[1] ?? 'application/octet-stream';
}
