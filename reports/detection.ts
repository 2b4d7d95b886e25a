import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Faults planted in the sandbox against one rule, and how many of them its own check has named. */
export interface Detection {
  readonly planted: number;
  readonly caught: number;
}

/** What became of one planted fault. */
export interface RecordedFault {
  readonly fault: string;
  readonly breaks: string;
  readonly fate: 'caught' | 'in doubt' | 'missed' | 'never reached';
  /** Tests that met it. */
  readonly run: number;
  /** Tests that can end otherwise with it: those beyond `run` were left out by lot. */
  readonly reaching: number;
  /** Rules that were accused beside the broken one. */
  readonly wrongly?: readonly string[];
  /** What becomes of it where no profile says how the service speaks, if that is another thing. */
  readonly unvouched?: RecordedFault['fate'];
}

/** What the last complete kill matrix found. Written by proof/matrix. */
export interface DetectionRecord {
  /** ISO 8601 UTC. */
  readonly date: string;
  readonly commit: string;
  /** Of what it was measured with, see {@link proofDigest}. */
  readonly digest: string;
  /** Tests in the suite. */
  readonly tests: number;
  readonly faults: readonly RecordedFault[];
}

export const DETECTION_FILE = new URL('detection.json', import.meta.url);

/** The detection power of a suite as a whole. */
export interface DetectionPower extends Detection {
  /** ISO 8601 UTC. */
  readonly measuredAt: string;
  readonly commit: string;
  /** False where the suite or the sandbox has changed since. */
  readonly isCurrent: boolean;
  /** Faults for which another rule was accused too. */
  readonly accusedOthers: number;
}

/** The last complete matrix; undefined where there is none. */
export function readDetection(file: URL = DETECTION_FILE): DetectionRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<DetectionRecord>;
    return record.digest === undefined ? undefined : (record as DetectionRecord);
  } catch {
    return undefined;
  }
}

/** What a record says of the suite as a whole. @param digest of the files as they are now */
export function detectionPower(
  record: DetectionRecord | undefined,
  digest: string,
): DetectionPower | undefined {
  if (!record) return undefined;
  const { date, commit, faults } = record;
  return {
    measuredAt: date,
    commit,
    isCurrent: record.digest === digest,
    planted: faults.length,
    caught: faults.filter(({ fate }) => fate === 'caught').length,
    accusedOthers: faults.filter(({ wrongly }) => wrongly !== undefined).length,
  };
}

/** Known detection power by rule id; empty where it was measured on another suite or not at all. */
export function detectionByRule(
  record: DetectionRecord | undefined,
  digest: string,
): ReadonlyMap<string, Detection> {
  const byRule = new Map<string, Detection>();
  if (record?.digest !== digest) return byRule;
  for (const { breaks, fate } of record.faults) {
    const { planted, caught } = byRule.get(breaks) ?? { planted: 0, caught: 0 };
    byRule.set(breaks, { planted: planted + 1, caught: caught + (fate === 'caught' ? 1 : 0) });
  }
  return byRule;
}

/** What is known of the detection power of this suite, as a report needs it. */
export function knownDetection(): {
  readonly detection: ReadonlyMap<string, Detection>;
  readonly power: DetectionPower | undefined;
} {
  const record = readDetection();
  const digest = record ? proofDigest() : '';
  return { detection: detectionByRule(record, digest), power: detectionPower(record, digest) };
}

/** How sure a verdict is, for people who do not know what is measured. */
export function surenessSentence({ caught, planted, measuredAt, isCurrent }: DetectionPower): string {
  const since = isCurrent ? '' : ', before the latest change of the suite';
  return `of ${planted} mistakes planted in the reference service, the suite named ${caught} (measured on ${measuredAt.slice(0, 10)}${since}).`;
}

/** What decides whether a planted fault is found: the checks, what they stand on, and the sandbox with its faults. */
const FOLDERS = ['specs', 'suite', 'doubt', 'client', 'generators', 'schemas', 'target', 'sandbox'];
/** Written from the answers of a run, for readers: they decide nothing. */
const RECORDED = ['sandbox/pages/answers.json', 'schemas/examples.yaml'];
const ROOT = join(import.meta.dirname, '..');

/**
 * A digest of the files on which detection power stands: another digest, and what was measured is of another suite. Where
 * code breaks its lines is a matter of form, and decides nothing.
 */
export function proofDigest(root = ROOT): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS)
    for (const path of filesIn(root, folder)) {
      const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
      hash.update(`${path}\n${path.endsWith('.ts') ? text.replace(/\s*\n\s*/g, '') : text}\n`);
    }
  return hash.digest('hex').slice(0, 16);
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(root, path);
      return /\.(?:ts|js|ya?ml|json)$/.test(entry.name) && !RECORDED.includes(path) ? [path] : [];
    });
}
