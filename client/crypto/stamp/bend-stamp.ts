import type { KeyPair } from '../key-pair.ts';
import { invalidStamps } from './invalid-stamps.ts';
import { malformedStamps } from './malformed-stamps.ts';
import type { StampForm } from './stamp.ts';

/**
 * One wrong stamp, by the name of its row in {@link malformedStamps} or {@link invalidStamps}.
 * @throws RangeError where no row has that name, or where the row cannot be wrong for this payload
 */
export function bendStamp(name: string, payloadToSign: string, key: KeyPair, form: StampForm): string {
  const malformed = malformedStamps.find((row) => row.name === name);
  if (malformed) return malformed.make(payloadToSign, key, form);
  const invalid = invalidStamps.find((row) => row.name === name);
  if (!invalid) throw new RangeError(`No wrong stamp is called "${name}".`);
  const made = invalid.make(payloadToSign, key, form);
  if (made === undefined) throw new RangeError(`"${name}" would be a good stamp for this payload.`);
  return made;
}
