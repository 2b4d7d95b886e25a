import type { Call } from './call.ts';
import type { Reply } from './reply.ts';

/** A JSON Schema: the name of a component of openapi.yaml, or a schema of the sandbox's own where none is shown. */
export type BodySchema = string | { readonly [keyword: string]: unknown };

/** One operation of the service. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL, parameters with a colon: `/agents/:agentId`. */
  readonly path: string;
  readonly auth: 'platform' | 'agent' | 'none';
  /** Absent: a body is neither read nor checked. */
  readonly body?: BodySchema;
  /** True when the operation also works without a body. */
  readonly bodyOptional?: boolean;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}
