import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { MutantRow } from '../mutants/row.ts';
import type { KeptRow } from '../variants/row.ts';
import { jsonRows } from '../../schemas/json.ts';
import type { ScriptRow } from '../reproduce/script.ts';

/** When and on what something was measured. */
export interface Occasion {
  /** ISO 8601 UTC. */
  readonly date: string;
  readonly commit: string;
  readonly digest: string;
}

interface MeasuredVariants extends Occasion {
  /** Things in which the worlds differ. */
  readonly differences: number;
  readonly pairs: { readonly shown: number; readonly all: number };
  readonly rows: readonly KeptRow[];
}

interface MeasuredMutants extends Occasion {
  /** How many there are; the rows may be of some of them, drawn by lot. */
  readonly made: number;
  readonly named: number;
  readonly tried: number;
  /** Those that nobody names. */
  readonly rows: readonly MutantRow[];
}

/** What the scripts that repeat defects said. */
interface MeasuredScripts extends Occasion {
  readonly summary: string;
  readonly wrong: readonly ScriptRow[];
}

export interface Measured {
  readonly reproduce?: MeasuredScripts;
  readonly variants?: MeasuredVariants;
  readonly mutants?: MeasuredMutants;
}

const MEASURED_FILE = new URL('measured.json', import.meta.url);

/** What stands in proof/trust/measured.json; nothing where nothing was measured. */
function readMeasured(file: URL = MEASURED_FILE): Measured {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Measured) : {};
}

/** Puts a new measurement in place of the last one of its kind. */
export function keepMeasured(news: Measured, file: URL = MEASURED_FILE): Measured {
  const measured = { ...readMeasured(file), ...news };
  writeFileSync(file, jsonRows(measured, 3));
  return measured;
}

/** What was measured by hand on a service that is not in this repository. Nobody can repeat it from here. */
export interface Elsewhere {
  /** YYYY-MM-DD. */
  readonly on: string;
  readonly commit: string;
  /** What the service is, and how it was measured. */
  readonly service: readonly string[];
  readonly faults: {
    /** Planted, and judged to be breaches of the text. */
    readonly breaches: number;
    /** Named by a rule of the sentence that they break. */
    readonly named: number;
    /** Left in doubt: the run is not green, and nobody is accused. */
    readonly open: number;
    /** Those that were not named, with what each does. */
    readonly missed: readonly string[];
  };
  readonly legal: {
    /** Services that obey the interface, each other in what it leaves open. */
    readonly services: number;
    /** Accusations of them, and what became of each. */
    readonly accused: readonly string[];
  };
}

const FILE = new URL('elsewhere.yaml', import.meta.url);

/** What stands in proof/trust/elsewhere.yaml. */
export function readElsewhere(file: URL = FILE): Elsewhere {
  return parse(readFileSync(file, 'utf8')) as Elsewhere;
}
