import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../client/http/http-client.ts';
import type { Platform } from './api/platform.ts';

const RECORD = /^([A-Z][A-Za-z]+):[0-9a-f-]{36}$/i;
const FILE = 'left.ndjson';
/** Records of what has happened, or that end by themselves: nobody could remove them, or has to. */
const HISTORY = new Set([
  'AgentAction',
  'Quote',
  'Transaction',
  'Request',
  'ScaChallenge',
  'Session',
  'Webhook',
]);

/** Follows which records one test has made on the target, and which of them it has removed again. */
export class LeftBehind {
  readonly #made = new Map<string, string>();

  /** Reads it off an exchange: a POST that was answered with a new id, a removal that succeeded. */
  note({ request, response }: Exchange): void {
    const status = response?.status ?? 0;
    if (status < 200 || status > 299) return;
    if (request.method === 'DELETE' && status !== 202)
      for (const id of idsIn(decodeURIComponent(request.url))) this.#made.delete(id);
    if (request.method !== 'POST' || status === 202) return;
    for (const id of madeIn(response?.text ?? '')) {
      const [, type = ''] = RECORD.exec(id) ?? [];
      if (!HISTORY.has(type) && !request.url.includes(id) && request.body?.includes(id) !== true)
        this.#made.set(id, type);
    }
  }

  /** Ids that a removal of another form has taken away. */
  forget(id: string): void {
    this.#made.delete(id);
  }

  /** Ids of records that are still there, newest first. */
  get ids(): readonly string[] {
    return [...this.#made.keys()].reverse();
  }

  /** Tells the run. @param folder of the run; undefined where it has none */
  tell(folder: string | undefined): void {
    if (folder === undefined || this.#made.size === 0) return;
    const lines = [...this.#made].map(([id, type]) => `${JSON.stringify({ type, id })}\n`);
    appendFileSync(join(folder, FILE), lines.join(''));
  }
}

/**
 * Writes left-behind.json, and says in one line what it holds.
 *
 * @param folder of the run
 * @param reports where the file goes
 * @returns undefined where nothing was left
 */
export function writeLeftBehind(folder: string, reports: string, run: string): string | undefined {
  const file = join(folder, FILE);
  if (!existsSync(file)) return undefined;
  const records = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; id: string });
  const byType: Record<string, string[]> = {};
  for (const { type, id } of records) (byType[type] ??= []).push(id);
  mkdirSync(reports, { recursive: true });
  const target = join(reports, 'left-behind.json');
  writeFileSync(target, `${JSON.stringify({ run, records: byType }, undefined, 2)}\n`);
  const counts = Object.entries(byType).map(([type, ids]) => `${ids.length} ${type}`);
  return `Left on the target: ${counts.join(', ')}; their ids are in ${target}.`;
}

/** The id of the record that an answer is about, and those of its direct parts that are records of their own. */
function madeIn(text: string): readonly string[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof body !== 'object' || body === null) return [];
  const parts = Object.values(body).filter((part) => typeof part === 'object' && part !== null);
  return [body, ...parts]
    .map((part: { id?: unknown }) => part.id)
    .filter((id): id is string => typeof id === 'string' && RECORD.test(id));
}

function idsIn(url: string): readonly string[] {
  return url.match(/[A-Z][A-Za-z]+:[0-9a-f-]{36}/gi) ?? [];
}

/**
 * Removes what a test has made with public calls, newest first, where the profile says how. Never throws.
 *
 * @param requests by type of record: method and path with {id}
 */
export async function cleanUp(
  platform: Platform,
  left: LeftBehind,
  requests: Readonly<Record<string, string>>,
): Promise<void> {
  for (const id of left.ids) {
    const request = requests[id.split(':')[0] as string];
    if (request === undefined) continue;
    const [method, path] = request.replace('{id}', id).split(' ') as [string, string];
    const answer = await platform
      .call({ method, path }, { label: `cleaning up: removing ${id}` })
      .catch(() => undefined);
    if (answer?.accepted) left.forget(id);
  }
}
