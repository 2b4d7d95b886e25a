import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What was measured by hand on a service that is not in this repository. Nobody can repeat it from here. */
export interface Elsewhere {
  /** YYYY-MM-DD. */
  readonly on: string;
  readonly commit: string;
  /** What the service is, and how it was measured. */
  readonly service: string;
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
