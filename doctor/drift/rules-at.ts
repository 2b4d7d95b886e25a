import { loadRules } from '../../schemas/rules.ts';
import { MEASURED } from '../../target/states/measured.ts';

export type Json = Readonly<Record<string, unknown>>;

/**
 * Rules that a difference touches: the one that is blamed for a breach at this place of the contract; else those of the
 * operation that speak of the field; else, where an operation as a whole differs, those that cannot do without it.
 *
 * @param pointer into the contract
 */
export function rulesAt(
  contract: Json,
  pointer: string,
  { operation, field }: { readonly operation: string; readonly field: string },
): readonly string[] {
  const blamed = blamedAt(contract, pointer);
  if (blamed !== undefined) return [blamed];
  const own = Object.keys(MEASURED.operations).filter((rule) =>
    MEASURED.operations[rule]?.includes(operationIn(contract, pointer) ?? operation),
  );
  const name = field.split('.').findLast((step) => /^[a-z][A-Za-z]+$/.test(step) && step !== 'request');
  if (name === undefined) return own;
  return loadRules()
    .filter(({ id }) => own.includes(id) || own.length === 0)
    .filter(({ id, statement }) => statement.includes(name) || id.split('-').includes(firstWordOf(name)))
    .map(({ id }) => id);
}

/** `REMITTANCE` of `remittanceInformation`, as the ids of rules have it. */
function firstWordOf(name: string): string {
  return (/^[a-z]+/.exec(name)?.[0] ?? name).toUpperCase();
}

/** The deepest x-rule on the way, references followed. */
function blamedAt(contract: Json, pointer: string): string | undefined {
  let node: unknown = contract;
  let rule: string | undefined;
  for (const step of stepsOf(pointer)) {
    node = (resolved(contract, node) as Json | undefined)?.[step];
    const own = (resolved(contract, node) as Json | undefined)?.['x-rule'];
    if (typeof own === 'string') rule = own;
  }
  return rule;
}

/** The operation that a path of the contract belongs to, where it has but one. */
function operationIn(contract: Json, pointer: string): string | undefined {
  const [root, path = '', method] = stepsOf(pointer);
  if (root !== 'paths') return undefined;
  const item = (contract['paths'] as Readonly<Record<string, Json>>)[path] ?? {};
  const operations = Object.entries(item)
    .filter(([name]) => method === undefined || name === method)
    .map(([, one]) => (one as Json | null)?.['operationId'])
    .filter((id): id is string => typeof id === 'string');
  return operations.length === 1 ? operations[0] : undefined;
}

function resolved(contract: Json, node: unknown): unknown {
  const reference = (node as { $ref?: unknown } | null | undefined)?.$ref;
  if (typeof reference !== 'string') return node;
  return stepsOf(reference).reduce<unknown>((at, step) => (at as Json | undefined)?.[step], contract);
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}
