import { randomUUID } from 'node:crypto';
import type { Call, Reply, Route } from '../../server/area.ts';
import { componentSchema, type FieldError, fieldErrors, type Schema } from '../../server/contract-schemas.ts';
import { type Json, type JsonObject, parseJson } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { changeStatus, leadsTo, type Life } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import {
  CHALLENGE_LIFE,
  openLoginChallenges,
  openRequests,
  REQUEST_LIFE,
  SESSION_LIFE,
  sessionsUnderWay,
} from '../credentials/records.ts';
import { isOpen, openQuotes, type Quote } from '../quotes/records.ts';
import { openScaChallenges, SCA_CHALLENGE_LIFE } from '../sca/records.ts';

/*
 * What all operations share: bodies and how they are checked, errors, formats, lists, the order of one call, and the passing of
 * time, which ends what has waited too long.
 */

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

/** What the clock of the service shows that nobody has moved. @returns milliseconds since the epoch */
export const wallTime = (_world: World): number => Date.now();

/** Everything that is wrong with a body, one entry a field. */
export function checkBody(world: World, schema: Schema, body: Json): FieldError[] {
  return fieldErrors(schema, body, (text) => world.behaviour.countCharacters(text));
}

/** Bodies are JSON and say so. */
export function acceptContentType(world: World, type: string | undefined): Passes {
  if (type === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return;
  throw world.behaviour.refuseContentType(type);
}

/** Reads the bytes of a body: UTF-8, strict JSON. */
function readJson(world: World, bytes: Buffer): Json {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw world.behaviour.refuseMalformedJson(error instanceof SyntaxError ? error.message : 'not UTF-8');
  }
}

/** The body that a route asks for, read and held against its schema. @throws Refusal */
export function readBody(world: World, call: Call, route: Route): Json | undefined {
  if (route.body === undefined) return undefined;
  if (call.rawBody.length === 0) {
    if (route.bodyOptional) return undefined;
    throw world.behaviour.refuseMissingBody();
  }
  world.behaviour.acceptContentType(call.headers['content-type']);
  const body = readJson(world, call.rawBody);
  const schema = typeof route.body === 'string' ? world.behaviour.requestSchema(route.body) : route.body;
  const errors = world.behaviour.checkBody(schema, body);
  if (errors.length > 0) throw world.behaviour.refuseInvalidFields(errors);
  return body;
}

/** The path that the routes know a called path by. */
export function servedPath(_world: World, path: string): string {
  return path;
}

/** The part of an id after the colon. */
export function newUuid(_world: World): string {
  return randomUUID();
}

/** A time as the wire shows it. @param at milliseconds since the epoch */
export function presentTime(_world: World, at: number): string {
  return new Date(at).toISOString();
}

/** The order in which a list is shown: newest last. */
export function orderList<T>(_world: World, rows: readonly T[]): readonly T[] {
  return rows;
}

/** What a list says of itself: how many rows there are, and where the next page begins. */
export interface Page {
  readonly total: number;
  readonly next?: number;
}

/** The wrapping of a list. */
export function presentList(_world: World, items: readonly Json[], { total, next }: Page): Json {
  return {
    data: items,
    hasMore: next !== undefined,
    ...(next === undefined ? {} : { nextCursor: Buffer.from(String(next)).toString('base64url') }),
    totalCount: total,
  };
}

/** What waits for something and is EXPIRED where that does not come in time, with its life. */
const ENDED_BY_TIME = [
  [openRequests, REQUEST_LIFE],
  [sessionsUnderWay, SESSION_LIFE],
  [openLoginChallenges, CHALLENGE_LIFE],
  [openScaChallenges, SCA_CHALLENGE_LIFE],
] as const;

/** Ends what time has ended, before anything is read. */
export function passTime(world: World): void {
  for (const [waiting, life] of ENDED_BY_TIME)
    for (const record of waiting.late(world)) changeStatus(world, life, record, 'EXPIRED');
  endQuotes(world);
}

/** The tables of legal moves stand beside the records. */
export function legalMove(_world: World, life: Life, from: string, to: string): boolean {
  return leadsTo(life, from, to);
}

/** Ends the quotes whose time is over, or that of their challenge. */
function endQuotes(world: World): void {
  for (const quote of openQuotes.all(world)) {
    if (!isOpen(quote)) openQuotes.delete(world, quote.id);
    else if (challengeEnded(world, quote)) world.behaviour.failOnExpiredChallenge(quote);
    else if (world.behaviour.quoteExpired(quote)) world.behaviour.expireQuote(quote);
  }
}

/** Before the quote itself does. */
function challengeEnded(world: World, { status, challenge, expiresAt }: Quote): boolean {
  if (status !== 'PENDING_AUTHORIZATION' || challenge === undefined) return false;
  return challenge.expiresAt < expiresAt && world.behaviour.challengeExpired(challenge);
}

/** The error body of interface.md > Errors. */
export function presentError(_world: World, refusal: Refusal): JsonObject {
  const { status, code, message, details } = refusal;
  return { status, code, message, ...(details === undefined ? {} : { details }) };
}

/** One entry of details.errors. */
export function presentFieldError(_world: World, error: FieldError): JsonObject {
  return { field: error.field, constraint: error.constraint, message: error.message };
}

/** details.errors: one entry for each invalid field, all at once. */
export function presentFieldErrors(world: World, errors: readonly FieldError[]): Json {
  return errors.map((error) => world.behaviour.presentFieldError(error));
}

/** Every invalid field in one answer. A body that is no object at all has no fields to name. */
export function refuseInvalidFields(world: World, errors: readonly FieldError[]): Refusal {
  if (errors.some((error) => error.field === '')) {
    return new Refusal(400, 'INVALID_REQUEST_FORMAT', `${errors[0]!.message}.`);
  }
  const count = errors.length === 1 ? 'A field is' : `${errors.length} fields are`;
  const message = `${count} invalid: ${errors.map((error) => error.message).join(', ')}.`;
  return new Refusal(400, 'INVALID_INPUT', message, {
    details: { errors: world.behaviour.presentFieldErrors(errors) },
  });
}

/** Does the work of a call whose caller and body are known. @throws Refusal */
export function handleCall(world: World, call: Call, route: Route): Reply | Promise<Reply> {
  return route.handle(world, call);
}

/** The answer to a refused request. */
export function presentRefusal(world: World, refusal: Refusal): Reply {
  return { status: refusal.status, headers: refusal.headers, body: world.behaviour.presentError(refusal) };
}

/** Last look at every answer before it is written. */
export function finishReply(_world: World, reply: Reply): Reply {
  return reply;
}

/** The media type of every answer that has a body. */
export const contentType = (_world: World, _reply: Reply): string => 'application/json; charset=utf-8';
