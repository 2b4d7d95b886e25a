import type { ErrorObject } from 'ajv';
import type { Schema } from './contract.ts';

/** A breach of a schema, named by the rule that the schema stands for. */
export interface Blame {
  /** Undefined where openapi.yaml names no rule on the way: the caller falls back to the operation's. */
  readonly rule: string | undefined;
  /** JSON pointer into the value; for a missing property, where it should be. */
  readonly pointer: string;
  /** Plain words. */
  readonly message: string;
}

/**
 * Finds the rule behind an Ajv error: the deepest `x-rule` on the way from the schema's root to the broken keyword, or
 * for a missing property the rule of that property.
 *
 * @param mask removes secrets from what the message shows of the value
 */
export function blame(
  root: Schema,
  error: ErrorObject,
  mask: (text: string) => string = (text) => text,
): Blame {
  const steps = stepsOf(error.schemaPath.replace(/^#/, ''));
  let node: unknown = root;
  let rule = ruleAt(node);
  for (const step of steps) {
    if (typeof node !== 'object' || node === null) break;
    node = (node as Record<string, unknown>)[step];
    rule = ruleAt(node) ?? rule;
  }
  const missing = missingProperty(error);
  if (missing === undefined) return { rule, pointer: error.instancePath, message: describe(error, mask) };
  const parent = error.parentSchema as { properties?: Record<string, unknown> } | undefined;
  return {
    rule:
      ruleAt(parent?.properties?.[missing]) ??
      ownRule(parent, root) ??
      ruleAt(propertyOf(root, missing)) ??
      rule,
    pointer: `${error.instancePath}/${missing}`,
    message: `${missing} is missing`,
  };
}

/** The steps of a path within a schema, which Ajv writes as the fragment of a URL. */
export function stepsOf(path: string): readonly string[] {
  return pointerSteps(path).map(decodeURIComponent);
}

/** The steps of a JSON pointer into a value (RFC 6901). */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function ruleAt(node: unknown): string | undefined {
  const rule = typeof node === 'object' && node !== null ? (node as Schema)['x-rule'] : undefined;
  return typeof rule === 'string' ? rule : undefined;
}

/** A branch that demands a property may stand for a rule of its own: "present only when …". */
function ownRule(parent: unknown, root: Schema): string | undefined {
  return parent === root ? undefined : ruleAt(parent);
}

function missingProperty(error: ErrorObject): string | undefined {
  return error.keyword === 'required'
    ? (error.params as { missingProperty: string }).missingProperty
    : undefined;
}

function propertyOf(schema: Schema, name: string): unknown {
  return (schema['properties'] as Record<string, unknown> | undefined)?.[name];
}

function describe(error: ErrorObject, mask: (text: string) => string): string {
  const where = error.instancePath === '' ? 'the body' : error.instancePath.slice(1).replaceAll('/', '.');
  const shown = showValue(error.data, nameAt(error.instancePath), mask);
  return `${where} must ${demandOf(error)}, but is ${shown}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What the schema demands of the value, after "must". */
function demandOf({ keyword, schema, params, message, parentSchema }: ErrorObject): string {
  const { allowedValues, allowedValue } = params as { allowedValues?: unknown[]; allowedValue?: unknown };
  if (keyword === 'type' && schema === 'null') return 'be absent here';
  if (keyword === 'type') {
    const format = (parentSchema as { format?: string } | undefined)?.format;
    const types = (Array.isArray(schema) ? schema : [schema]).map(
      (type) => TYPES[String(type)] ?? String(type),
    );
    return `be ${types.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
  }
  if (allowedValues) return `be one of ${allowedValues.join(', ')}`;
  if (allowedValue !== undefined) return `be ${String(allowedValue)}`;
  if (keyword === 'format') return `be a ${String(schema)}`;
  if (keyword === 'pattern') return `have the form ${String(schema)}`;
  return (message ?? 'obey the schema').replace(/^must /, '');
}

/** The field that a pointer ends at; the items of a list are named like the list. */
function nameAt(pointer: string): string {
  return pointer.split('/').findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? '';
}

/** Longer values are cut in messages. Characters. */
const LONGEST = 80;
/** So much is rendered before secrets are masked; all of it must be masked before anything is cut. Characters. */
const RENDERED = 4_000;
/** Deeper values are left out: they may be nested however deep. */
const DEEPEST = 20;

/**
 * A value in a message, as JSON, cut where it is long. Takes bounded time, and never throws.
 *
 * @param name of the field that holds the value: the name alone may tell that the value is secret
 * @param mask removes secrets from a text
 */
export function showValue(value: unknown, name: string, mask: (text: string) => string): string {
  if (value === undefined) return 'absent';
  const text = render(value, RENDERED, DEEPEST);
  const label = `${JSON.stringify(name)}:`;
  const masked = mask(`${label}${text}`);
  const shown = masked.startsWith(label) ? masked.slice(label.length) : mask(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST - 3)}…` : shown;
}

/** JSON that ends after some more than `left` characters. */
function render(value: unknown, left: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, left));
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === 0) return Array.isArray(value) ? '[…]' : '{…}';
  return Array.isArray(value) ? renderList(value, left, depth) : renderObject(value, left, depth);
}

function renderList(list: readonly unknown[], left: number, depth: number): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    if (text.length > left) return `${text}…`;
    text += `${index > 0 ? ',' : ''}${render(list[index], left - text.length, depth - 1)}`;
  }
  return `${text}]`;
}

function renderObject(object: object, left: number, depth: number): string {
  let text = '{';
  for (const [name, inner] of Object.entries(object)) {
    if (text.length > left) return `${text}…`;
    const field = `${text.length > 1 ? ',' : ''}${JSON.stringify(name.slice(0, left))}:`;
    text += field + render(inner, left - text.length, depth - 1);
  }
  return `${text}}`;
}
