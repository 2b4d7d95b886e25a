import { bendRecordId, ID_MISTAKES } from '../bent-record-ids.ts';

/** A value of a path that names no record of the operation. */
export interface PathValue {
  readonly says: string;
  readonly value: string;
}

/** Of the right form; that it was ever issued is as likely as any other. */
const NEVER_ISSUED = '5d1f0c2e-9b3a-4e67-8a41-c07d52f6e913';

/**
 * Values that stand where a record's id belongs and name none: bent ones, one that was never issued, and what opens other
 * paths where a server decodes twice. Letter case is left alone: digits of a uuid mean the same in either.
 *
 * @param legal the id of a real record; its form is what they differ in
 */
export function pathValuesBeside(legal: string): readonly PathValue[] {
  const [resource = ''] = legal.split(':');
  return [
    { says: 'never issued', value: `${resource}:${NEVER_ISSUED}` },
    ...ID_MISTAKES.filter((mistake) => mistake !== 'empty').map((mistake, at) => ({
      says: mistake,
      value: bendRecordId(legal, mistake, at + 3),
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
