import type { ErrorObject } from 'ajv';
import type { Schema } from './contract.ts';
import { showValue } from './show-value.ts';

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
  if (error.keyword === 'type' && error.schema === 'null')
    return `${where} must be absent here, but is ${shown}`;
  const allowed = (error.params as { allowedValues?: unknown[]; allowedValue?: unknown }) ?? {};
  const detail = allowed.allowedValues
    ? ` (${allowed.allowedValues.join(', ')})`
    : 'allowedValue' in allowed
      ? ` (${String(allowed.allowedValue)})`
      : '';
  return `${where} ${error.message ?? 'breaks the schema'}${detail}, but is ${shown}`;
}

/** The field that a pointer ends at; the items of a list are named like the list. */
function nameAt(pointer: string): string {
  return pointer.split('/').findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? '';
}
