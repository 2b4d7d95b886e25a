import fc from 'fast-check';
import { resolved, plainly, componentSchema } from './schemas.ts';
import { wrongValues, type MistakeKind } from './wrong-values.ts';
import type { Schema } from '../schemas/contract.ts';

/** The JSON value of a request's body. */
export type Body = Readonly<Record<string, unknown>>;

/** A body with exactly one mistake, which it knows. */
export interface Mistake {
  /** Where, in dot notation. */
  readonly field: string;
  readonly kind: MistakeKind;
  readonly before: unknown;
  /** Undefined where the field is left out. */
  readonly after: unknown;
  /** False where the field is known from deployments only, so that no rule forbids the value. */
  readonly stated: boolean;
  readonly body: Body;
}

/** The same mistake, to be made in any legal body of the schema. */
interface Change extends Omit<Mistake, 'body'> {
  readonly make: (value: unknown) => unknown;
}

/** Every way to make one mistake in a legal body: fields missing, null, of a wrong type, size or form. */
export function mistakesIn(schema: Schema, legal: Body): readonly Mistake[] {
  return changesIn(schema, legal, '', true).map((change) => finished(change, legal));
}

/** Makes the same mistake in another legal body of the schema. */
export function made({ field, after }: Pick<Mistake, 'field' | 'after'>, body: Body): Body {
  const [name = '', ...rest] = field.split('.');
  if (rest.length > 0) {
    const inner = made({ field: rest.join('.'), after }, body[name] as Body);
    return { ...body, [name]: inner };
  }
  if (after !== undefined) return { ...body, [name]: after };
  return without(name)(body) as Body;
}

/** At most so many mistakes of one kind in one field, the plainest and others evenly spread. */
export function spread(mistakes: readonly Mistake[], most: number): readonly Mistake[] {
  const groups = new Map<string, Mistake[]>();
  for (const one of mistakes) {
    const key = `${one.field} ${one.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) =>
    group.filter(
      (_, at) =>
        at === 0 || Math.floor((at * most) / group.length) > Math.floor(((at - 1) * most) / group.length),
    ),
  );
}

/** Every pair of mistakes in two fields, neither of which holds the other. */
export function mistakePairs(schema: Schema, legal: Body): fc.Arbitrary<readonly [Mistake, Mistake, Body]> {
  const changes = changesIn(schema, legal, '', true);
  const byField = [...new Set(changes.map(({ field }) => field))];
  const pairs = byField.flatMap((a, at) =>
    byField
      .slice(at + 1)
      .filter((b) => !b.startsWith(`${a}.`) && !a.startsWith(`${b}.`))
      .map((b) => [a, b] as const),
  );
  const of = (field: string) => fc.constantFrom(...changes.filter((one) => one.field === field));
  return fc
    .constantFrom(...pairs)
    .chain(([a, b]) => fc.tuple(of(a), of(b)))
    .map(([a, b]) => [finished(a, legal), finished(b, legal), b.make(a.make(legal)) as Body] as const);
}

function finished({ make, ...rest }: Change, legal: Body): Mistake {
  return { ...rest, body: make(legal) as Body };
}

function changesIn(schema: Schema, legal: unknown, prefix: string, isStated: boolean): readonly Change[] {
  const own = plainly(schema, legal);
  const required = new Set((own['required'] as string[] | undefined) ?? []);
  const properties = (own['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = prefix + name;
    const before = (legal as Body | undefined)?.[name];
    const plain = plainly(property, before);
    const stated = isStated && resolved(property)['x-source'] !== 'facts';
    const set = (to: unknown) => (value: unknown) => ({ ...(value as Body), [name]: to });
    const about = { field, before, stated };
    const nested = before === undefined ? [] : changesIn(property, before, `${field}.`, stated);
    return [
      ...(required.has(name)
        ? [
            { ...about, kind: 'missing' as const, after: undefined, make: without(name) },
            // Of an optional field it may mean the same as absence.
            { ...about, kind: 'null' as const, after: null, make: set(null) },
          ]
        : []),
      ...wrongValues(plain, before).map(({ kind, value }) => ({
        ...about,
        kind,
        after: value,
        make: set(value),
      })),
      ...nested.map(({ make, ...rest }) => ({
        ...rest,
        make: (value: unknown) => set(make((value as Body)[name]))(value),
      })),
    ];
  });
}

function without(name: string): (value: unknown) => unknown {
  return (value) => Object.fromEntries(Object.entries(value as Body).filter(([key]) => key !== name));
}

/** A body with exactly one mistake of the plainest kinds. `null` is made of required fields only. */
export interface OneMistake extends Pick<Mistake, 'field' | 'body'> {
  readonly mistake: 'missing' | 'null' | 'wrong type';
}

/** Every way to leave out a required field or make it null, and to give a field a wrong JSON type. */
export function allMistakes(component: string, legal: Body): readonly OneMistake[] {
  return mistakesIn(componentSchema(component), legal).flatMap(({ field, kind, body }) => {
    const mistake = kind === 'as text' ? 'wrong type' : kind;
    return mistake === 'missing' || mistake === 'null' || mistake === 'wrong type'
      ? [{ field, mistake, body }]
      : [];
  });
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
