import fc from 'fast-check';
import type { Schema } from '../schemas/contract.ts';
import { componentSchema, resolved } from './component-schema.ts';

/** A body with exactly one mistake. */
export interface OneMistake {
  /** Where, in dot notation. */
  readonly field: string;
  /** `null` is made of required fields only: for an optional one it may mean the same as absence. */
  readonly mistake: 'missing' | 'null' | 'wrong type';
  readonly body: Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>>;

/** Values of another JSON type than the named one, the plainest first. No fractions: they are numbers. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [1, true, {}, []],
  integer: ['1', true, {}, [], [1], 'text'],
  number: ['1', true, {}, [], [1], 'text'],
  boolean: ['true', 1, {}, []],
  object: ['text', 1, true, []],
  array: ['text', 1, true, {}],
};

/** Every way to make one mistake in a legal body: a required field missing or null, a field of a wrong JSON type. */
export function allMistakes(component: string, legal: Body): readonly OneMistake[] {
  return within(componentSchema(component), legal, '').map(({ field, mistake, change }) => ({
    field,
    mistake,
    body: change(legal) as Body,
  }));
}

/**
 * Bodies with exactly one mistake.
 *
 * @param component name of the body's schema in openapi.yaml
 * @param legal a body that is accepted as it is
 * @param wanted chooses among the mistakes, such as those of one field
 */
export function oneMistakes(
  component: string,
  legal: Body,
  wanted: (one: OneMistake) => boolean = () => true,
): fc.Arbitrary<OneMistake> {
  return fc.constantFrom(...allMistakes(component, legal).filter(wanted));
}

interface Change {
  readonly field: string;
  readonly mistake: OneMistake['mistake'];
  readonly change: (value: unknown) => unknown;
}

function within(schema: Schema, legal: unknown, prefix: string): Change[] {
  const own = resolved(schema);
  const required = new Set((own['required'] as string[] | undefined) ?? []);
  const properties = Object.entries(
    (own['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {},
  );
  return properties.flatMap(([name, property]): Change[] => {
    const field = prefix + name;
    const type = String(resolved(property)['type']);
    const inner = (legal as Body | undefined)?.[name];
    const set = (to: unknown) => (value: unknown) => ({ ...(value as Body), [name]: to });
    const nested = inner === undefined ? [] : within(property, inner, `${field}.`);
    return [
      ...(required.has(name)
        ? [
            { field, mistake: 'missing' as const, change: without(name) },
            { field, mistake: 'null' as const, change: set(null) },
          ]
        : []),
      ...(WRONG[type] ?? []).map((wrong) => ({ field, mistake: 'wrong type' as const, change: set(wrong) })),
      ...nested.map(({ change, ...rest }) => ({
        ...rest,
        change: (value: unknown) => set(change((value as Body)[name]))(value),
      })),
    ];
  });
}

function without(name: string): (value: unknown) => unknown {
  return (value) => Object.fromEntries(Object.entries(value as Body).filter(([key]) => key !== name));
}
