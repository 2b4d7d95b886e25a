import fc from 'fast-check';

/** Words that are in no enumeration of the interface, however near they sound. */
const NEIGHBOURS = ['CHECK', 'CASH', 'UNKNOWN', 'NONE', 'DEFAULT', 'ANY', 'BITCOIN', 'RENT'];

/** White space at the end is left out: some services trim it. */
const TAMPERINGS: readonly ((member: string) => string)[] = [
  (member) => member.toLowerCase(),
  (member) => `${member}X`,
  (member) => `${member}_`,
  (member) => member.slice(0, -1),
  (member) => `${member}${member.slice(-1)}`,
  (member) => `X_${member}`,
  (member) => member.replaceAll('_', '-'),
  (member) => `${member},${member}`,
];

/**
 * Texts that look like members of an enumeration and are none. The empty text is left out: some services take it for an
 * absent field.
 *
 * @param members the legal values
 */
export function nearMisses(members: readonly string[]): fc.Arbitrary<string> {
  const misses = [
    ...NEIGHBOURS,
    ...members.flatMap((member) => TAMPERINGS.map((tamper) => tamper(member))),
  ].filter((miss) => miss !== '' && !members.includes(miss));
  return fc.constantFrom(...new Set(misses));
}
