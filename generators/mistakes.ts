import fc from 'fast-check';
import { type Schema, discriminated } from '../schemas/contract.ts';
import { readYaml } from '../schemas/read-yaml.ts';

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

const PREFIX = '#/components/schemas/';

let components: Readonly<Record<string, Schema>> | undefined;

/**
 * A component of openapi.yaml as it is written there; what it refers to is resolved by `resolved`.
 *
 * @throws Error when openapi.yaml has no such component: a defect of Assay
 */
export function componentSchema(name: string): Schema {
  components ??= (
    discriminated(readYaml('openapi.yaml')) as { components: { schemas: Record<string, Schema> } }
  ).components.schemas;
  const schema = components[name];
  if (!schema) throw new Error(`openapi.yaml has no component ${name}`);
  return schema;
}

/** The schema itself, or the component that its `$ref` names, with the keywords beside the `$ref` kept. */
export function resolved(schema: Schema): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  if (!reference.startsWith(PREFIX)) throw new Error(`a schema refers to ${reference}, not to a component`);
  return { ...resolved(componentSchema(reference.slice(PREFIX.length))), ...beside };
}

/** Makes text that no JSON parser may take out of the text of an object. */
const TAMPERINGS: Readonly<Record<string, (json: string, at: number) => string>> = {
  'cut short': (json, at) => json.slice(0, 1 + (at % (json.length - 1))),
  'no closing brace': (json) => json.slice(0, -1),
  'no colon': (json) => json.replace(':', ' '),
  'bare word': () => 'transfer',
};

interface MalformedJson {
  readonly mistake: string;
  readonly text: string;
}

/**
 * Texts that are not JSON. Comments, trailing commas, NaN, single quotes and text after the value are left out: some parsers
 * are generous there.
 *
 * @param value an object, legal as a body
 */
export function malformedJson(value: object): fc.Arbitrary<MalformedJson> {
  const json = JSON.stringify(value);
  return fc
    .tuple(fc.constantFrom(...Object.keys(TAMPERINGS)), fc.nat({ max: json.length }))
    .map(([mistake, at]) => ({
      mistake,
      text: (TAMPERINGS[mistake] as (json: string, at: number) => string)(json, at),
    }));
}
