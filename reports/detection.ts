import { readFileSync } from 'node:fs';

/** Faults planted in the sandbox against one rule, and how many of them its own check has named. */
export interface Detection {
  readonly planted: number;
  readonly caught: number;
}

/** What the last kill matrix found, by fault. Written by tests/matrix. */
export const DETECTION_FILE = new URL('detection.json', import.meta.url);

/** Known detection power by rule id; empty where no matrix has been run. */
export function loadDetection(): ReadonlyMap<string, Detection> {
  const byRule = new Map<string, Detection>();
  for (const { breaks, caught } of readFaults()) {
    const { planted, caught: before } = byRule.get(breaks) ?? { planted: 0, caught: 0 };
    byRule.set(breaks, { planted: planted + 1, caught: before + (caught ? 1 : 0) });
  }
  return byRule;
}

function readFaults(): readonly { fault: string; breaks: string; caught: boolean }[] {
  try {
    return (
      JSON.parse(readFileSync(DETECTION_FILE, 'utf8')) as {
        faults: { fault: string; breaks: string; caught: boolean }[];
      }
    ).faults;
  } catch {
    return [];
  }
}
