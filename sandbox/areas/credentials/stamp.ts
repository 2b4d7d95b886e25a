import { compressed, pointOf } from '../../crypto/keys.ts';
import { isObject, type JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import type { Stamp } from './stamp-behaviour.ts';

/** Reads the header: base64url of a JSON object with publicKey, scheme and signature. */
export function readStamp(world: World, header: string): Stamp {
  const { behaviour } = world;
  return readStampFields(world, parseStamp(world, behaviour.decodeStamp(header)));
}

/**
 * interface.md > Errors > 401 codes: the structure of the header. Text that was cut off counts as badly encoded.
 *
 * @throws Refusal
 */
function parseStamp(world: World, text: string): JsonObject {
  try {
    const fields: unknown = JSON.parse(text);
    if (isObject(fields) && Object.keys(fields).length > 0) return fields;
  } catch {
    if (text.startsWith('{'))
      throw world.behaviour.refuseMalformedSignature('encoding', 'it has been cut off');
  }
  throw world.behaviour.refuseMalformedSignature('structure', 'it is not a JSON object with fields');
}

/** interface.md > Errors > 401 codes: the fields of the header. @throws Refusal */
function readStampFields(world: World, fields: JsonObject): Stamp {
  const { publicKey, signature } = fields;
  const point = pointOf(publicKey);
  const why = world.behaviour.stampFieldsFault(fields);
  if (why !== undefined) throw world.behaviour.refuseMalformedSignature('fields', why);
  if (!point) throw world.behaviour.refuseOffCurve();
  return {
    point,
    publicKey: compressed(point).toString('hex'),
    signature: Buffer.from(signature as string, 'hex'),
  };
}
