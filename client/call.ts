import { stringify } from 'lossless-json';
import type { Operation } from '../schemas/contract.ts';
import type { Authorization } from './authorization.ts';
import type { SentRequest } from './http/http-client.ts';

/** A request to one operation, before it is put on the wire. */
export interface Call {
  /** Operation of the contract, or method and path for a route that it does not have. */
  readonly operation: string | { readonly method: string; readonly path: string };
  /** What the exchange is for, in plain words; shown in reports. */
  readonly label: string;
  /** Values of the path template's names. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Value sent as JSON; bigint is written exactly. */
  readonly body?: unknown;
  /** Exact text sent in place of `body`. */
  readonly raw?: string;
  /** Absent sends none. */
  readonly authorization?: Authorization | undefined;
}

/** A value of the path is not known: usually an id that an earlier answer should have carried. */
export class MissingPathValue extends Error {
  override readonly name = 'MissingPathValue';
}

/**
 * Puts a call on the wire's form.
 *
 * @param baseUrl base address of the service, version date included
 * @param operation the call's operation, where the contract has it
 * @throws MissingPathValue when a name of the path template has no value
 */
export function toRequest(baseUrl: string, operation: Operation | undefined, call: Call): SentRequest {
  const route = operation ?? (call.operation as { method: string; path: string });
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.path?.[name];
    if (typeof value !== 'string')
      throw new MissingPathValue(`not sent: there is no ${name} to put into ${route.path}`);
    return encodeURIComponent(value).replaceAll('%3A', ':');
  });
  const query = call.query ? `?${new URLSearchParams(call.query).toString().replaceAll('%3A', ':')}` : '';
  const text = call.raw ?? (call.body === undefined ? undefined : stringify(call.body));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (text !== undefined) headers['content-type'] = 'application/json';
  if (typeof call.authorization === 'string') headers['authorization'] = call.authorization;
  else if (call.authorization) headers[call.authorization.header.toLowerCase()] = call.authorization.value;
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value === undefined) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  return {
    method: route.method,
    url: `${baseUrl}${path}${query}`,
    headers,
    ...(text === undefined ? {} : { body: text }),
  };
}
