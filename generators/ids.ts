import fc from 'fast-check';

/** An identifier with one mistake in its form. */
interface WrongRecordId {
  readonly mistake: string;
  readonly id: string;
}

/** Makes one mistake; `at` is a number from 0 up, by which the place is chosen. */
type Tampering = (resource: string, uuid: string, at: number) => string;

const NOT_HEX = 'ghijklmnopqrstuvwxyz';
const HEX_PLACES = [...'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'].flatMap((one, place) =>
  one === 'x' ? [place] : [],
);

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'wrong resource': (_, uuid) => `Customer:${uuid}`,
  'no resource': (_, uuid) => uuid,
  'no uuid': (resource) => `${resource}:`,
  'no colon': (resource, uuid) => `${resource}${uuid}`,
  empty: () => '',
  'not hex': (resource, uuid, at) =>
    `${resource}:${replaced(uuid, at, NOT_HEX[at % NOT_HEX.length] as string)}`,
  'a digit short': (resource, uuid, at) => `${resource}:${replaced(uuid, at, '')}`,
  'a digit too many': (resource, uuid, at) => `${resource}:${replaced(uuid, at, '00')}`,
  'trailing text': (resource, uuid, at) => `${resource}:${uuid}${['/', '-', '0', 'x', ':', '.json'][at % 6]}`,
  'leading text': (resource, uuid, at) => `${['x', '/', '.', 'urn:'][at % 4]}${resource}:${uuid}`,
  twice: (resource, uuid) => `${resource}:${uuid},${resource}:${uuid}`,
};

/** Names of the mistakes, the plainest first. */
export const ID_MISTAKES: readonly string[] = Object.keys(TAMPERINGS);

/**
 * Identifiers that differ from a legal one by exactly one mistake of form. White space, letter case and the place of
 * the dashes are left alone: a service may read these generously.
 *
 * @param legal an identifier of the right form; that of a real record leaves the form as the only reason to refuse
 */
export function wrongRecordIds(legal: string): fc.Arbitrary<WrongRecordId> {
  return fc
    .record({ mistake: fc.constantFrom(...ID_MISTAKES), at: fc.nat({ max: 63 }) })
    .map(({ mistake, at }) => ({ mistake, id: wrongRecordId(legal, mistake, at) }));
}

/** One of them. @param at chooses the place, from 0 up */
function wrongRecordId(legal: string, mistake: string, at: number): string {
  const [resource = '', uuid = ''] = legal.split(':');
  return (TAMPERINGS[mistake] as Tampering)(resource, uuid, at);
}

function replaced(uuid: string, at: number, by: string): string {
  const place = HEX_PLACES[at % HEX_PLACES.length] as number;
  return uuid.slice(0, place) + by + uuid.slice(place + 1);
}

/** A value of a path that names no record of the operation. */
interface PathValue {
  readonly says: string;
  readonly value: string;
}

/** Of the right form; that it was ever issued is as likely as any other. */
const NEVER_ISSUED = '5d1f0c2e-9b3a-4e67-8a41-c07d52f6e913';

/**
 * Values that stand where a record's id belongs and name none: tampered ones, one that was never issued, and what opens other
 * paths where a server decodes twice. Letter case is left alone, and so is the bare uuid: a service may
 * read these generously.
 *
 * @param legal the id of a real record; its form is what they differ in
 */
export function pathValuesBeside(legal: string): readonly PathValue[] {
  const [resource = ''] = legal.split(':');
  return [
    { says: 'never issued', value: `${resource}:${NEVER_ISSUED}` },
    ...ID_MISTAKES.filter((mistake) => !['empty', 'no resource'].includes(mistake)).map((mistake, at) => ({
      says: mistake,
      value: wrongRecordId(legal, mistake, at + 3),
    })),
    { says: 'a path back to itself', value: `../${resource}/${legal}` },
    { says: 'an encoded slash', value: `${legal}/x` },
    { says: 'an encoded slash, encoded again', value: `${legal}%2Fx` },
    { says: 'a query within it', value: `${legal}?x=1` },
    { says: 'a NUL behind it', value: `${legal}\0` },
    { says: 'a pattern', value: `${resource}:*` },
    { says: 'a line end behind it', value: `${legal}\r\nX-Assay: 1` },
  ];
}
