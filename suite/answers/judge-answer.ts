import type { Exchange } from '../../client/http/http-client.ts';
import { isWalletSigned } from '../../client/signed-retry.ts';
import type { Answer as DocumentedAnswer, Contract, Operation, Schema } from '../../schemas/contract.ts';
import type { Validator } from '../../schemas/validator.ts';
import type { Breach } from './answer.ts';
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
  contract: Contract,
  validator: Validator,
  operation: Operation | undefined,
  exchange: Exchange,
  component?: string,
): ShapeJudgement {
  const { response } = exchange;
  if (!response) return { seen: new Set(), breaches: [], body: undefined };
  const seen = new Set<string>();
  const breaches: Breach[] = [];
  const success = response.status >= 200 && response.status < 300;
  const exact = operation?.answers.get(String(response.status));
  const usual = success ? successOf(operation) : operation?.answers.get('default');
  const answer = exact ?? usual;

  if (success && operation?.statusRule) {
    seen.add(operation.statusRule);
    if (!exact)
      breaches.push({
        rule: operation.statusRule,
        pointer: '#status',
        message: `success is answered with ${response.status}, not with ${successes(operation)}`,
      });
  }
  if (exact?.noBodyRule) {
    seen.add(exact.noBodyRule);
    if (response.text !== '')
      breaches.push({
        rule: exact.noBodyRule,
        pointer: '#body',
        message: 'there is a body where none must be',
      });
  }
  const parsed = parse(response.text);
  // What can be read in two ways is held to nothing: the other reading may be right.
  const ambiguous = parsed.ok ? ambiguityIn(response.text, parsed.value) : undefined;
  const isClear = ambiguous === undefined;
  const schema = success
    ? schemaOfSuccess(contract, operation, answer, exchange, parsed.ok ? parsed.value : undefined, component)
    : schemaOfRefusal(contract, operation, exact, response.status);
  if (schema && !isOpen(schema)) {
    const isDeclared = mediaTypeOf(response.headers);
    // What calls itself plain text may still be meant as JSON: that shows the rule neither kept nor broken.
    if (isDeclared !== 'other' && isClear) seen.add(JSON_RULE);
    if (parsed.ok && isDeclared === 'page')
      breaches.push({
        rule: JSON_RULE,
        pointer: '#header/content-type',
        message: `the ${response.status} says of itself that it is HTML, not JSON`,
      });
    if (response.notUtf8)
      breaches.push({
        rule: JSON_RULE,
        pointer: '#utf-8',
        message: `the body of the ${response.status} is not UTF-8, so it is not JSON`,
      });
    if (response.text === '')
      breaches.push({
        rule: ruleOfWhole(schema),
        pointer: '',
        message: `the body of the ${response.status} is empty`,
      });
    else if (!parsed.ok)
      breaches.push({
        rule: JSON_RULE,
        pointer: '',
        message: `the body of the ${response.status} is not JSON`,
      });
    else if (isClear) collect(validator, schema, parsed.value, '', seen, breaches);
  } else if (parsed.ok && isClear && operation && success) {
    for (const found of recognise(contract, operation, parsed.value)) {
      if (found.inShort) breaches.push(...shownWrongly(validator, found));
      else collect(validator, found.schema, found.value, found.pointer, seen, breaches);
    }
  }
  if (success && parsed.ok && isClear) {
    const removed = removedReasonsIn(parsed.value);
    if (removed.seen) seen.add(REMOVED_REASONS_RULE);
    for (const breach of removed.breaches) breaches.push({ rule: REMOVED_REASONS_RULE, ...breach });
    if (operation) addConventions(parsed.value, seen, breaches);
  }
  for (const [name, header] of answer?.headers ?? [])
    judgeHeader(validator, name, header, response.headers[name.toLowerCase()], seen, breaches);
  return { seen, breaches, body: parsed.ok ? parsed.value : undefined, ambiguous };
}

/** A body that is not shown may be anything, or absent. */
function isOpen(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

function collect(
  validator: Validator,
  schema: Schema,
  value: unknown,
  at: string,
  seen: Set<string>,
  breaches: Breach[],
): void {
  const judgement = validator.judge(schema, value);
  for (const rule of judgement.seen) seen.add(rule);
  if (lacksEverything(schema, value)) {
    const required = (schema['required'] as readonly string[]).join(', ');
    breaches.push({
      rule: ruleOfWhole(schema),
      pointer: at,
      message: `the object has none of its required fields (${required})`,
    });
    return;
  }
  for (const breach of judgement.breaches)
    breaches.push({
      rule: breach.rule ?? JSON_RULE,
      pointer: `${at}${breach.pointer}`,
      message: breach.message,
    });
}

/** A field that is shown blames its own rule. */
function addConventions(body: unknown, seen: Set<string>, breaches: Breach[]): void {
  const conventions = conventionsOf(body);
  for (const rule of conventions.seen) seen.add(rule);
  const known = new Set(breaches.map(({ pointer }) => pointer));
  breaches.push(...conventions.breaches.filter(({ pointer }) => !known.has(pointer)));
}

/** Breaches of a record that is shown in short: of the fields that it shows. */
function shownWrongly(validator: Validator, { schema, value, pointer }: Recognised): readonly Breach[] {
  const breaches: Breach[] = [];
  collect(validator, schema, value, pointer, new Set(), breaches);
  return breaches.filter((breach) => isShown(value, breach.pointer.slice(pointer.length)));
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
 * @param documented what the contract says of the answer
 * @param component name of the component that the answer must be, where one operation has several kinds of answer
 */
function schemaOfSuccess(
  contract: Contract,
  operation: Operation | undefined,
  documented: DocumentedAnswer | undefined,
  { request, response }: Exchange,
  body: unknown,
  component: string | undefined,
): Schema | undefined {
  const toSign = operation?.answers.get(SIGNED_RETRY_STATUS);
  // What is to be signed is told by a 202 alone; under another status it is that all the same, and no record. Who has
  // signed is owed the record.
  if (
    toSign &&
    (String(response?.status) === SIGNED_RETRY_STATUS || (isToBeSigned(body) && !isWalletSigned(request)))
  )
    return toSign.schema;
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

function judgeHeader(
  validator: Validator,
  name: string,
  schema: Schema,
  value: string | undefined,
  seen: Set<string>,
  breaches: Breach[],
): void {
  const rule = schema['x-rule'];
  if (typeof rule !== 'string') return;
  if (value === undefined) {
    seen.add(rule);
    breaches.push({ rule, pointer: `#header/${name}`, message: `the header ${name} is missing` });
    return;
  }
  const numeric = schema['type'] === 'integer' || schema['type'] === 'number';
  collect(
    validator,
    schema,
    numeric && value.trim() !== '' ? Number(value) : value,
    `#header/${name}`,
    seen,
    breaches,
  );
}

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
