import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsedOrNothing } from '../../schemas/json.ts';
import type { GoneAway } from '../../journal/types.ts';

/** Environment variable with the folder that the workers of a run share; made and removed by the global set-up. */
export const RUN_FOLDER_ENV = 'ASSAY_RUN_FOLDER';

const GONE = 'gone.json';
const OUTAGES = 'outages.ndjson';
const SENT = 'sent';

/** Somebody who has not answered for a while: how often in a row, and until when he is left alone, epoch milliseconds. */
export interface Silence {
  readonly count: number;
  readonly until: number;
  readonly why?: string;
}

interface Outage {
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** What the workers of one run tell each other about the target. Without a folder each worker knows its own part only. */
export class RunFolder {
  readonly #folder: string | undefined;
  #gone: GoneAway | undefined;
  readonly #outages: Outage[] = [];
  readonly #silences = new Map<string, Silence>();
  #sent = 0;

  /** @param folder undefined where the run has none */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** The target has gone away for good; the first to tell is believed. */
  tellGone(gone: GoneAway): GoneAway {
    const before = this.gone();
    if (before) return before;
    this.#gone = gone;
    if (this.#folder !== undefined)
      try {
        writeFileSync(join(this.#folder, GONE), JSON.stringify(gone), { flag: 'wx' });
      } catch {
        // Another worker was quicker.
        this.#gone = undefined;
      }
    return this.gone() ?? gone;
  }

  /** Whether any worker has found the target gone. */
  gone(): GoneAway | undefined {
    if (this.#gone || this.#folder === undefined) return this.#gone;
    const file = join(this.#folder, GONE);
    if (!existsSync(file)) return undefined;
    try {
      this.#gone = JSON.parse(readFileSync(file, 'utf8')) as GoneAway;
    } catch {
      // It is being written at this moment.
    }
    return this.#gone;
  }

  /** Whether nobody has claimed it before. True where the run has no folder. */
  claim(what: string): boolean {
    if (this.#folder === undefined) return true;
    try {
      const name = createHash('sha256').update(what).digest('hex').slice(0, 32);
      writeFileSync(join(this.#folder, `claimed-${name}`), '', { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  }

  /** Counts one request. @returns how many all workers have sent, this one included */
  countRequest(): number {
    if (this.#folder === undefined) return (this.#sent += 1);
    const file = join(this.#folder, SENT);
    // One byte a request: what several workers append at once is never lost.
    appendFileSync(file, '.');
    return statSync(file).size;
  }

  /** The target was away between two moments, in epoch milliseconds. */
  tellOutage(from: number, to: number): void {
    if (this.#folder === undefined) this.#outages.push({ from, to });
    else appendFileSync(join(this.#folder, OUTAGES), `${JSON.stringify({ from, to })}\n`);
  }

  /** Whether the target was away at any time between two moments. */
  hadOutage(from: number, to: number): boolean {
    return this.#all().some((outage) => outage.from <= to && outage.to >= from);
  }

  /** What is known of the silence of somebody or something; a new worker must not learn it anew. */
  silence(of: string): Silence | undefined {
    if (this.#folder === undefined) return this.#silences.get(of);
    try {
      return JSON.parse(readFileSync(this.#fileOf(of), 'utf8')) as Silence;
    } catch {
      return undefined;
    }
  }

  /** Notes the silence of somebody or something; undefined when it has ended. */
  tellSilence(of: string, silence: Silence | undefined): void {
    if (this.#folder === undefined) {
      if (silence) this.#silences.set(of, silence);
      else this.#silences.delete(of);
    } else if (silence) writeFileSync(this.#fileOf(of), JSON.stringify(silence));
    else rmSync(this.#fileOf(of), { force: true });
  }

  #fileOf(of: string): string {
    return join(this.#folder as string, `silence-${of.replaceAll(/\W+/g, '-').slice(0, 100)}.json`);
  }

  #all(): readonly Outage[] {
    if (this.#folder === undefined) return this.#outages;
    const file = join(this.#folder, OUTAGES);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (parsedOrNothing(line) as Outage | undefined) ?? []);
  }
}
