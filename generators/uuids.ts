import fc from 'fast-check';

/** UUIDs in 8-4-4-4-12 form, lower or upper case; the interface asks for no version. */
export function uuids(): fc.Arbitrary<string> {
  return fc.tuple(fc.uuid(), fc.boolean()).map(([uuid, upper]) => (upper ? uuid.toUpperCase() : uuid));
}
