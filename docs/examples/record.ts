import { createHash } from 'node:crypto';
import { startSandbox } from '../../sandbox/start.ts';
import { loadContract } from '../../schemas/contract.ts';
import { recordAgents } from './agents.ts';
import { recordEvents, recordPlatforms, recordQuotes } from './platforms.ts';
import { Recorder, type OperationExamples } from './recorder.ts';
import { recordWallets } from './wallets.ts';

/**
 * Walks every operation of the contract on a sandbox of its own. Every example is a real request, and what the sandbox answered to
 * it; sealed and signed texts differ each time.
 *
 * @throws Error when the sandbox refuses a call
 */
export async function recordExamples(): Promise<Readonly<Record<string, OperationExamples>>> {
  const began = Date.now();
  const sandbox = await startSandbox();
  try {
    const recorder = new Recorder(sandbox, await loadContract('Service'));
    await recordAgents(recorder);
    await recordWallets(recorder);
    await recordQuotes(recorder);
    await recordPlatforms(recorder);
    await recordEvents(recorder);
    return settled(recorder.examples, began);
  } finally {
    await sandbox.close();
  }
}

/** The moment at which every recording begins, so that two recordings differ as little as they can. */
const BEGINNING = Date.parse('2025-10-13T09:30:00Z');
/** Differences below it are how long the recording took, and tell nothing. Milliseconds. */
const GRAIN = 10_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * The value with ids and times that do not change from one recording to the next: ids by the order in which they occur,
 * times by how far they are from its beginning.
 *
 * @param began milliseconds since the epoch
 */
export function settled<T>(value: T, began: number): T {
  const ids = new Map<string, string>();
  const idFor = (id: string) => {
    if (!ids.has(id)) ids.set(id, uuidOf(ids.size));
    return ids.get(id)!;
  };
  const timeFor = (time: string) => {
    const after = Math.round((Date.parse(time) - began) / GRAIN) * GRAIN;
    return new Date(BEGINNING + after).toISOString();
  };
  return inTexts(value, (text) => text.replace(UUID, idFor).replace(TIME, timeFor)) as T;
}

function uuidOf(index: number): string {
  const hex = createHash('sha256').update(`example ${index}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inTexts(inner, change)]));
}
