import fc from 'fast-check';

/**
 * One field that a schema does not have, with a value of any JSON type: the legal control of a one-mistake request,
 * where the interface does not forbid further fields.
 *
 * @param known names that must not come
 */
export function extraFields(known: readonly string[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const names = fc
    .constantFrom('x', 'note', 'metadata', 'externalReference', 'clientVersion', 'traceId')
    .filter((name) => !known.includes(name));
  const values = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant({}),
    fc.constant([]),
  );
  return fc.tuple(names, values).map(([name, value]) => ({ [name]: value }));
}
