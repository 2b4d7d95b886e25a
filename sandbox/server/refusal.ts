import type { JsonObject } from './json.ts';

export interface RefusalExtras {
  readonly details?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service says no. Handlers throw it; the server answers with the error body of interface.md > Errors. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: JsonObject | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
  }
}

/**
 * What a function of the behaviour returns that only says no: nothing, for it throws where it objects. It is not void, so that a refusal which
 * is returned by mistake does not compile.
 */
export type Passes = undefined;

/** Throws a refusal, where only an expression has room. */
export function refuse(refusal: Refusal): never {
  throw refusal;
}

/** Asks, and says no in another way where the answer is no. */
export function refusedAs<T>(ask: () => T, other: (refusal: Refusal) => Refusal): T {
  try {
    return ask();
  } catch (error) {
    throw error instanceof Refusal ? other(error) : error;
  }
}

/** The refusal of a question that is asked without stopping for it, or undefined. */
export function refusalOf(ask: () => unknown): Refusal | undefined {
  try {
    ask();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
