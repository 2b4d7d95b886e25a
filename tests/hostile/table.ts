import type { HostileRow } from './row.ts';
import { AT_FIRST } from './rows/at-first.ts';
import { FOR_GOOD } from './rows/for-good.ts';

/** Every hostile target that Assay is held to. */
export const HOSTILE_ROWS: readonly HostileRow[] = [...AT_FIRST, ...FOR_GOOD];
