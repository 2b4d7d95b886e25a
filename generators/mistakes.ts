import fc from 'fast-check';
import type { Schema } from '../schemas/contract.ts';
import { componentOf, resolved } from '../schemas/openapi.ts';

/** The JSON value of a request's body. */
export type Body = Readonly<Record<string, unknown>>;

/** A body with exactly one mistake, which it knows. */
export interface OneMistake {
  /** Where, in dot notation. */
  readonly field: string;
  /** `null` is made of required fields only: of an optional one it may mean the same as absence. */
  readonly mistake: 'missing' | 'null' | 'wrong type';
  readonly body: Body;
}

/** Values of another JSON type than the named one. No fractions: they are numbers. */
const OF_ANOTHER_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  string: [1, true, {}, []],
  integer: [true, {}, [], [1], 'text', '1000'],
  object: ['text', 1, true, []],
  array: ['text', 1, true, {}],
};

/** Every way to leave out a required field or make it null, and to give a field a wrong JSON type. */
export function allMistakes(component: string, legal: Body): readonly OneMistake[] {
  return mistakesIn(componentOf(component), legal);
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

function mistakesIn(schema: Schema, legal: Body): readonly OneMistake[] {
  const { properties = {}, required = [] } = resolved(schema) as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([field, property]) => {
    const { [field]: value, ...others } = legal;
    const type = String(resolved(property)['type']);
    // A reader that unwraps what it is given takes a list of it for the value itself.
    const wrapped = value === undefined || type === 'array' ? [] : [[value]];
    const wrong = [...(OF_ANOTHER_TYPE[type] ?? []), ...wrapped];
    const nested = type === 'object' && value !== undefined ? mistakesIn(property, value as Body) : [];
    return [
      ...(required.includes(field)
        ? [
            { field, mistake: 'missing' as const, body: others },
            { field, mistake: 'null' as const, body: { ...others, [field]: null } },
          ]
        : []),
      ...wrong.map((other) => ({
        field,
        mistake: 'wrong type' as const,
        body: { ...others, [field]: other },
      })),
      ...nested.map((inner) => ({
        ...inner,
        field: `${field}.${inner.field}`,
        body: { ...others, [field]: inner.body },
      })),
    ];
  });
}
