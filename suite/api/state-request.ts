import type { Answer } from '../answer.ts';
import type { Platform } from './platform.ts';

/** A request of an operation whose path or body the interface does not show, as a state gives it. */
export interface StateRequest {
  readonly method: string;
  /** Below the base address, query included. */
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a request that a state has given, as the platform. */
export function sendRequest(
  platform: Platform,
  { method, path, body }: StateRequest,
  label: string,
): Promise<Answer> {
  return platform.call({ method, path }, { label, ...(body === undefined ? {} : { body }) });
}
