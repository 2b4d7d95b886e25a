import fc from 'fast-check';
import type { Schema } from '../schemas/contract.ts';
import { componentSchema, resolved } from './schemas.ts';

/** The JSON value of a request's body. */
export type Body = Readonly<Record<string, unknown>>;

/** A body with exactly one mistake of the plainest kinds. `null` is made of required fields only. */
export interface OneMistake {
  /** Where, in dot notation. */
  readonly field: string;
  readonly mistake: 'missing' | 'null' | 'wrong type';
  readonly body: Body;
}

/** Values of another JSON type than the named one, the plainest first. */
const OF_ANOTHER_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  string: [1, true, {}, []],
  integer: [true, {}, [], [1], 'text', '1000'],
  object: ['text', 1, true, []],
};

/**
 * Every way to leave out a required field of a body or make it null, and to give a field a wrong JSON type.
 *
 * @param component name of the body's schema in openapi.yaml
 * @param legal a body that is accepted as it is
 */
export function allMistakes(component: string, legal: Body): readonly OneMistake[] {
  return mistakesIn(componentSchema(component), legal);
}

/** One of them. @param wanted chooses among the mistakes, such as those of one field */
export function oneMistakes(
  component: string,
  legal: Body,
  wanted: (one: OneMistake) => boolean = () => true,
): fc.Arbitrary<OneMistake> {
  return fc.constantFrom(...allMistakes(component, legal).filter(wanted));
}

function mistakesIn(schema: Schema, legal: Body): readonly OneMistake[] {
  const { required = [], properties = {} } = resolved(schema) as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
  };
  return Object.entries(properties).flatMap(([field, property]): readonly OneMistake[] => {
    const { type } = resolved(property);
    const { [field]: value, ...others } = legal;
    const set = (to: unknown): Body => ({ ...legal, [field]: to });
    const inner = type === 'object' ? mistakesIn(property, (value ?? {}) as Body) : [];
    return [
      ...(required.includes(field)
        ? [
            { field, mistake: 'missing' as const, body: others },
            // Of an optional field it may mean the same as absence.
            { field, mistake: 'null' as const, body: set(null) },
          ]
        : []),
      // A reader that unwraps what it is given takes an array of one for the value itself.
      ...[...(OF_ANOTHER_TYPE[String(type)] ?? []), ...(value === undefined ? [] : [[value]])].map(
        (wrong) => ({
          field,
          mistake: 'wrong type' as const,
          body: set(wrong),
        }),
      ),
      ...inner.map(({ field: name, mistake, body }) => ({
        field: `${field}.${name}`,
        mistake,
        body: set(body),
      })),
    ];
  });
}
