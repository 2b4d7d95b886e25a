/** Which records the runs of a folder have left on the target: a file that grows as they go, and the list made of it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsedOrNothing } from '../../schemas/json.ts';

/** Grows while a run goes on. The parts of a run add to the same one, or to files that are put together. */
export const LEFT_SO_FAR = 'left-behind.ndjson';
/** Ids by type, of a run that has ended. */
export const LEFT_BEHIND = 'left-behind.json';

interface Line {
  readonly run?: string;
  readonly type?: string;
  readonly id?: string;
  /** An id that is there no more. */
  readonly removed?: string;
}

/**
 * Makes left-behind.json of what grew while the run went on, in all of its parts. A run that was killed has made none:
 * what it left is on the list of the next.
 *
 * @param isPart other parts of the run are still to come
 * @returns one line that says what it holds; undefined where nothing was left
 */
export function writeLeftBehind(folder: string, isPart = false): string | undefined {
  const soFar = join(folder, LEFT_SO_FAR);
  if (!existsSync(soFar)) return undefined;
  const records = recordsIn(readFileSync(soFar, 'utf8'));
  if (!isPart) rmSync(soFar);
  if (records.length === 0) return undefined;
  const byType: Record<string, string[]> = {};
  for (const { type, id } of records) (byType[type] ??= []).push(id);
  const runs = [...new Set(records.map(({ run }) => run))];
  const file = join(folder, LEFT_BEHIND);
  writeFileSync(file, `${JSON.stringify({ runs, records: byType }, undefined, 2)}\n`);
  const counts = Object.entries(byType).map(([type, ids]) => `${ids.length} ${type}`);
  return `Left on the target: ${counts.join(', ')}; their ids are in ${file}.`;
}

function recordsIn(text: string): { run: string; type: string; id: string }[] {
  const made = new Map<string, { run: string; type: string; id: string }>();
  for (const line of text.split('\n')) {
    // A killed run may have left half a line.
    const { run = '', type, id, removed } = (parsedOrNothing(line) ?? {}) as Line;
    if (type !== undefined && id !== undefined) made.set(id, { run, type, id });
    if (removed !== undefined) made.delete(removed);
  }
  return [...made.values()];
}
