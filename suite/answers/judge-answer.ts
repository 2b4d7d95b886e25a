import type { Exchange } from '../../client/http/http-client.ts';
import { isWalletSigned } from '../../client/signed-retry.ts';
import type { Answer as DocumentedAnswer, Contract, Operation, Schema } from '../../schemas/contract.ts';
import type { Validator } from '../../schemas/validator.ts';
import type { Breach } from './answer.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import { ambiguityIn, conventionsOf, mediaTypeOf } from './conventions.ts';
import { recognise, type Recognised } from './recognise.ts';
import { REMOVED_REASONS_RULE, removedReasonsIn } from './removed-reasons.ts';

/** What the shape of one answer shows, whatever the test was about. */
interface ShapeJudgement {
  readonly seen: ReadonlySet<string>;
  readonly breaches: readonly Breach[];
  /** The parsed body; undefined when empty or not JSON. */
  readonly body: unknown;
  /** Why the body can be read in two ways, if it can: `has the name "id" twice`. */
  readonly ambiguous?: string | undefined;
}

/** What an answer is held against. */
interface Standards {
  readonly contract: Contract;
  readonly validator: Validator;
}

/** "All requests and responses are JSON." */
const JSON_RULE = 'GENERAL-RESPONSES-JSON';
/** Statuses whose error body the interface defines. */
const ERROR_STATUSES = new Set([400, 401, 403, 404, 500]);
/** What any framework answers for a route that is not there. */
const ROUTE_ABSENT = new Set([404, 405, 501]);
/** The first call of a signed retry has a shape of its own, whatever the operation ends with. */
const SIGNED_RETRY_STATUS = '202';

/**
 * Holds an answer against what the contract says of its operation and status. Where the interface shows no shape,
 * nothing is demanded.
 *
 * @param component name of the component that the answer must be, where one operation has several kinds of answer
 */
export function judge(
  { contract, validator }: Standards,
  operation: Operation | undefined,
  exchange: Exchange,
  component?: string,
): ShapeJudgement {
  const { response } = exchange;
  if (!response) return { seen: new Set(), breaches: [], body: undefined };
  const { status, text, headers } = response;
  const shape = new Shape(validator);
  const success = status >= 200 && status < 300;
  const exact = operation?.answers.get(String(status));
  const answer = exact ?? (success ? successOf(operation) : operation?.answers.get('default'));

  if (success && operation?.statusRule) {
    shape.seen.add(operation.statusRule);
    if (!exact)
      shape.blame(
        operation.statusRule,
        '#status',
        `success is answered with ${status}, not with ${successes(operation)}`,
      );
  }
  if (exact?.noBodyRule) {
    shape.seen.add(exact.noBodyRule);
    // HTTP keeps the bytes behind the header of a 204 from arriving, but not the header that announces them.
    const announced = Number(exchange.response?.headers['content-length'] ?? 0);
    if (text !== '' || announced > 0)
      shape.blame(exact.noBodyRule, '#body', 'there is a body where none must be');
  }
  const body = parsedOrNothing(text);
  const isJson = body !== undefined;
  // What can be read in two ways is held to nothing: the other reading may be right.
  const ambiguous = isJson ? ambiguityIn(text, body) : undefined;
  const isClear = ambiguous === undefined;
  const schema = success
    ? (schemaToSign(operation, exchange, body) ?? schemaOfSuccess(contract, answer, component))
    : schemaOfRefusal(contract, operation, exact, status);
  if (schema && !isOpen(schema)) {
    const declared = mediaTypeOf(headers);
    // What calls itself plain text may still be meant as JSON: that shows the rule neither kept nor broken.
    if (declared !== 'other' && isClear) shape.seen.add(JSON_RULE);
    if (isJson && declared === 'page')
      shape.blame(
        JSON_RULE,
        '#header/content-type',
        `the ${status} says of itself that it is HTML, not JSON`,
      );
    if (response.notUtf8)
      shape.blame(JSON_RULE, '#utf-8', `the body of the ${status} is not UTF-8, so it is not JSON`);
    if (text === '') shape.blame(ruleOfWhole(schema), '', `the body of the ${status} is empty`);
    else if (!isJson) shape.blame(JSON_RULE, '', `the body of the ${status} is not JSON`);
    else if (isClear) shape.hold(schema, body);
  } else if (isJson && isClear && operation && success)
    for (const found of recognise(contract, operation, body)) shape.holdRecognised(found);
  if (success && isJson && isClear) {
    const removed = removedReasonsIn(body);
    if (removed.seen) shape.seen.add(REMOVED_REASONS_RULE);
    for (const { pointer, message } of removed.breaches) shape.blame(REMOVED_REASONS_RULE, pointer, message);
    if (operation) shape.holdConventions(body);
  }
  for (const [name, header] of answer?.headers ?? [])
    shape.holdHeader(name, header, headers[name.toLowerCase()]);
  return { seen: shape.seen, breaches: shape.breaches, body, ambiguous };
}

/** Collects what an answer shows of the rules of its shape. */
class Shape {
  readonly seen = new Set<string>();
  readonly breaches: Breach[] = [];
  readonly #validator: Validator;

  constructor(validator: Validator) {
    this.#validator = validator;
  }

  blame(rule: string, pointer: string, message: string): void {
    this.breaches.push({ rule, pointer, message });
  }

  hold(schema: Schema, value: unknown, at = ''): void {
    const judgement = this.#validator.judge(schema, value);
    for (const rule of judgement.seen) this.seen.add(rule);
    if (lacksEverything(schema, value)) {
      const required = (schema['required'] as readonly string[]).join(', ');
      this.blame(ruleOfWhole(schema), at, `the object has none of its required fields (${required})`);
      return;
    }
    for (const { rule = JSON_RULE, pointer, message } of judgement.breaches)
      this.blame(rule, `${at}${pointer}`, message);
  }

  /** Of a record that is shown in short, only the fields that it shows are held to anything. */
  holdRecognised({ schema, value, pointer, inShort }: Recognised): void {
    if (!inShort) return this.hold(schema, value, pointer);
    const short = new Shape(this.#validator);
    short.hold(schema, value, pointer);
    const shown = short.breaches.filter((breach) => isShown(value, breach.pointer.slice(pointer.length)));
    this.breaches.push(...shown);
  }

  /** A field that is shown blames its own rule. */
  holdConventions(body: unknown): void {
    const conventions = conventionsOf(body);
    for (const rule of conventions.seen) this.seen.add(rule);
    const known = new Set(this.breaches.map(({ pointer }) => pointer));
    this.breaches.push(...conventions.breaches.filter(({ pointer }) => !known.has(pointer)));
  }

  holdHeader(name: string, schema: Schema, value: string | undefined): void {
    const rule = schema['x-rule'];
    if (typeof rule !== 'string') return;
    if (value === undefined) {
      this.seen.add(rule);
      this.blame(rule, `#header/${name}`, `the header ${name} is missing`);
      return;
    }
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    this.hold(schema, isNumber && value.trim() !== '' ? Number(value) : value, `#header/${name}`);
  }
}

/** A body that is not shown may be anything, or absent. */
function isOpen(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

function isShown(value: unknown, pointer: string): boolean {
  let node = value;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null || !(step in node)) return false;
    node = (node as Record<string, unknown>)[step];
  }
  return true;
}

/** An object without any of its required fields is one breach, of the object, and not one for each field. */
function lacksEverything(schema: Schema, value: unknown): boolean {
  const required = schema['required'] as readonly string[] | undefined;
  if (!required || required.length < 2 || typeof value !== 'object' || value === null || Array.isArray(value))
    return false;
  return required.every((name) => !(name in value));
}

function ruleOfWhole(schema: Schema): string {
  const rule = schema['x-rule'];
  return typeof rule === 'string' ? rule : JSON_RULE;
}

/**
 * What is to be signed is told by a 202 alone; under another status it is that all the same, and no record. Who has signed is
 * owed the record.
 */
function schemaToSign(
  operation: Operation | undefined,
  { request, response }: Exchange,
  body: unknown,
): Schema | undefined {
  const toSign = operation?.answers.get(SIGNED_RETRY_STATUS);
  const is202 = String(response?.status) === SIGNED_RETRY_STATUS;
  const isAsked = isWalletSigned(request) ? is202 && isToBeSigned(body) : is202 || isToBeSigned(body);
  return isAsked ? toSign?.schema : undefined;
}

/**
 * @param documented what the contract says of the answer
 * @param component name of the component that the answer must be, where one operation has several kinds of answer
 */
function schemaOfSuccess(
  contract: Contract,
  documented: DocumentedAnswer | undefined,
  component: string | undefined,
): Schema | undefined {
  if (component === undefined) return documented?.schema;
  const schema = contract.components.get(component);
  if (!schema) throw new Error(`openapi.yaml has no component ${component}`);
  return schema;
}

function schemaOfRefusal(
  contract: Contract,
  operation: Operation | undefined,
  documented: DocumentedAnswer | undefined,
  status: number,
): Schema | undefined {
  if (!isGiven(operation)) return undefined;
  if (documented) return documented.schema;
  return ERROR_STATUSES.has(status) ? contract.components.get(`Error${status}`) : undefined;
}

function isToBeSigned(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'payloadToSign' in body;
}

/** A route that the interface does not give need not exist, and its absence may be told by whatever stands in front. */
export function mayBeAbsent(operation: Operation | undefined, status: number): boolean {
  return !isGiven(operation) && ROUTE_ABSENT.has(status);
}

/** "Error body (all statuses)" speaks of the interface's own operations: how others refuse is not shown. */
function isGiven(operation: Operation | undefined): boolean {
  return operation !== undefined && !operation.factsOnly;
}

/** What a success is held to when its own status is not documented: the first success that is. */
function successOf(operation: Operation | undefined): DocumentedAnswer | undefined {
  for (const [status, answer] of operation?.answers ?? [])
    if (status.startsWith('2') && status !== SIGNED_RETRY_STATUS) return answer;
  return undefined;
}

function successes(operation: Operation): string {
  return [...operation.answers.keys()].filter((status) => status.startsWith('2')).join(' or ');
}
