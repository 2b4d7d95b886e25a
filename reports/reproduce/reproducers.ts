import { readFileSync } from 'node:fs';
import type { ConformanceReport, Defect, ExchangeIndex } from '../verdicts/model.ts';
import { printable } from '../write/sentences.ts';
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
    const plan = planOf(defect, exchanges, report.target);
    if ('why' in plan) return { ...defect, reproducer: { noScript: plan.why } };
    const script = `${REPRODUCE_DIR}/${defect.id}.mjs`;
    files[script] = scriptOf(plan);
    return { ...defect, reproducer: { script } };
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
