import { appendFileSync } from 'node:fs';
import { runId, type Exchange } from '../../client/http/http-client.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import type { Platform } from '../api/platform.ts';

/** Environment variable with the file that names what is left on the target; unset where nobody asks. */
export const LEFT_FILE_ENV = 'ASSAY_LEFT_FILE';

const RECORD = /^([A-Z][A-Za-z]+):[0-9a-f-]{36}$/i;
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

/**
 * Follows which records one test has made on the target, and which of them it has removed again. Each is written down at
 * once: whoever kills a run still finds what it has left.
 */
export class LeftBehind {
  readonly #made = new Map<string, string>();
  readonly #file: string | undefined;

  /** @param file lines for `reports/folder/left-behind.ts`; undefined where nothing is written down */
  constructor(file?: string) {
    this.#file = file;
  }

  /** Reads it off an exchange: a POST that was answered with a new id, a removal that succeeded. */
  note({ request, response }: Exchange): void {
    const status = response?.status ?? 0;
    if (status < 200 || status > 299) return;
    if (request.method === 'DELETE' && status !== 202)
      for (const id of idsIn(decodeURIComponent(request.url))) this.forget(id);
    if (request.method !== 'POST' || status === 202) return;
    for (const id of madeIn(response?.text ?? '')) {
      const [, type = ''] = RECORD.exec(id) ?? [];
      if (HISTORY.has(type) || request.url.includes(id) || request.body?.includes(id) === true) continue;
      if (this.#made.has(id)) continue;
      this.#made.set(id, type);
      this.#write({ run: runId(), type, id });
    }
  }

  /** An id that a removal has taken away. */
  forget(id: string): void {
    if (this.#made.delete(id)) this.#write({ removed: id });
  }

  /** Ids of records that are still there, newest first. */
  get ids(): readonly string[] {
    return [...this.#made.keys()].reverse();
  }

  #write(line: object): void {
    // Its line break comes first: what a killed run left unfinished must not swallow the next.
    if (this.#file !== undefined) appendFileSync(this.#file, `\n${JSON.stringify(line)}`);
  }
}

/** The id of the record that an answer is about, and those of its direct parts that are records of their own. */
function madeIn(text: string): readonly string[] {
  const body = parsedOrNothing(text);
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
