import type { HostileRow } from './row.ts';
import { AT_FIRST } from './rows/at-first.ts';
import { FOR_A_WHILE } from './rows/for-a-while.ts';
import { FOR_GOOD } from './rows/for-good.ts';
import { OTHERS } from './rows/others.ts';
import { STATES } from './rows/states.ts';

/** Every hostile target that Assay is held to. */
export const HOSTILE_ROWS: readonly HostileRow[] = [
  ...AT_FIRST,
  ...FOR_GOOD,
  ...FOR_A_WHILE,
  ...OTHERS,
  ...STATES,
];
