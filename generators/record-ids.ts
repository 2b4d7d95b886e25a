import type fc from 'fast-check';
import { uuids } from './uuids.ts';

/**
 * Identifiers of records, `<ResourceType>:<uuid>` (interface, Conventions).
 *
 * @param resource such as `InternalAccount`
 */
export function recordIds(resource: string): fc.Arbitrary<string> {
  return uuids().map((uuid) => `${resource}:${uuid}`);
}
