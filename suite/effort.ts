import { depthOf, type Depth } from '../target/environment.ts';

/** What one property may spend. */
export interface Effort {
  /** Inputs to try; each costs at least one request. */
  readonly runs: number;
  /** No further input is begun after so long, in milliseconds. */
  readonly milliseconds: number;
  /** Inputs that are tried at the same time. */
  readonly lanes: number;
  /** So much may be spent on making a failing input smaller, in milliseconds. */
  readonly shrinking: number;
}

/** Against the inputs of `standard`; deep is for the night. */
const TIMES: Readonly<Record<Depth, number>> = { quick: 1 / 3, standard: 1, deep: 20 };
const MILLISECONDS: Readonly<Record<Depth, number>> = { quick: 5_000, standard: 20_000, deep: 600_000 };
const SHRINKING: Readonly<Record<Depth, number>> = { quick: 3_000, standard: 15_000, deep: 60_000 };
const LANES = 4;
/** Fewer inputs than this are too few at any depth. */
const LEAST = 3;

/** @param runs inputs that `standard` tries */
export function effortOf(runs: number, env: NodeJS.ProcessEnv = process.env): Effort {
  const depth = depthOf(env);
  return {
    runs: Math.max(Math.min(LEAST, runs), Math.ceil(runs * TIMES[depth])),
    milliseconds: MILLISECONDS[depth],
    lanes: LANES,
    shrinking: SHRINKING[depth],
  };
}
