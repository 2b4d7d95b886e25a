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

/** What a rule decides: nothing to object, or a refusal. */
export type Decision = Refusal | undefined;

/** @throws Refusal when the decision is one */
export function enforce(decision: Decision): void {
  if (decision) throw decision;
}

/** The value, unless the rule answered with a refusal. */
export function unlessRefused<T>(result: T | Refusal): T {
  if (result instanceof Refusal) throw result;
  return result;
}
