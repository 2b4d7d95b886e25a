import type { Call } from '../../core/call.ts';
import { componentSchema, fieldErrors, type FieldError, type Schema } from '../../core/contract-schemas.ts';
import { parseJson, type Json } from '../../core/json.ts';
import { enforce, Refusal, type Decision } from '../../core/refusal.ts';
import type { Route } from '../../core/route.ts';
import type { World } from '../../core/world.ts';

/** The schema that openapi.yaml gives to a body. */
export function requestSchema(_world: World, component: string): Schema {
  return componentSchema(component);
}

/** How many characters a text has: code points. What counts as one is left open. */
export function countCharacters(_world: World, text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Everything that is wrong with a body, one entry a field. */
export function checkBody(world: World, schema: Schema, body: Json): FieldError[] {
  return fieldErrors(schema, body, (text) => world.rules.countCharacters(world, text));
}

/** Bodies are JSON and say so. */
export function acceptContentType(world: World, type: string | undefined): Decision {
  if (type === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return undefined;
  return world.rules.refuseContentType(world, type);
}

/** Reads the bytes of a body: UTF-8, strict JSON. */
export function readJson(world: World, bytes: Buffer): Json | Refusal {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return world.rules.refuseMalformedJson(world, error instanceof SyntaxError ? error.message : 'not UTF-8');
  }
}

/** The body that a route asks for, read and held against its schema. @throws Refusal */
export function readBody(world: World, call: Call, route: Route): Json | undefined {
  if (route.body === undefined) return undefined;
  if (call.rawBody.length === 0) {
    if (route.bodyOptional) return undefined;
    throw world.rules.refuseMissingBody(world);
  }
  enforce(world.rules.acceptContentType(world, call.headers['content-type']));
  const body = world.rules.readJson(world, call.rawBody);
  if (body instanceof Refusal) throw body;
  const schema = typeof route.body === 'string' ? world.rules.requestSchema(world, route.body) : route.body;
  const errors = world.rules.checkBody(world, schema, body);
  if (errors.length > 0) throw world.rules.refuseInvalidFields(world, errors);
  return body;
}
