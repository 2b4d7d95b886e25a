import { createHash, randomBytes } from 'node:crypto';
import type { RequestPrint, SignedRequest } from './records.ts';

/**
 * The payload where a session signs. The form is not shown, so it is one that no JSON printer makes: parsed and printed
 * again, it is other bytes. expiresAt in milliseconds since the epoch.
 */
export function jsonPayload({ id, print, expiresAt }: Omit<SignedRequest, 'payload'>): string {
  const body = createHash('sha256').update(print.body).digest('hex');
  const operation = JSON.stringify(print.operation).replaceAll('/', '\\/');
  return `{"requestId": "${id}", "operation": ${operation}, "bodyHash": "${body}",  "expiresAt": ${expiresAt}}\n`;
}

/**
 * interface.md > Signed-retry request lifecycle: the same request is repeated. Here: method and path, with the names of its
 * parameters.
 */
export function sameOperation({ print }: SignedRequest, retried: RequestPrint): boolean {
  return print.operation === retried.operation;
}

/**
 * The payload of a login with a one-time code. The form is not shown; it looks like a JWT, and its last part is no
 * signature of anybody. exp in seconds since the epoch.
 */
export function tokenPayload({ id, print, expiresAt }: Omit<SignedRequest, 'payload'>): string {
  const bodyHash = createHash('sha256').update(print.body).digest('base64url');
  const claims = { jti: id, op: print.operation, bodyHash, exp: Math.floor(expiresAt / 1000) };
  const parts = [{ alg: 'ES256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, randomBytes(64).toString('base64url')].join('.');
}
