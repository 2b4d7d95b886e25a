import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { blame, pointerSteps, stepsOf, type Blame } from './blame.ts';
import { compiledAhead, contractAjv } from './compiled.ts';
import type { Schema } from './contract.ts';

/** The outcome of holding one value against one schema. */
export interface Judgement {
  /** Rules whose schema was evaluated on the value, broken or not. */
  readonly seen: ReadonlySet<string>;
  readonly breaches: readonly Blame[];
}

/**
 * Holds values against schemas of the contract. One that was not compiled ahead of time is compiled when first used.
 */
export class Validator {
  readonly #compiled = new WeakMap<object, ValidateFunction>();
  #ajv: Ajv2020 | undefined;
  readonly #mask: (text: string) => string;

  /** @param mask removes secrets from what messages show of a value, before it is cut */
  constructor(mask: (text: string) => string = (text) => text) {
    this.#mask = mask;
  }

  /** @param value parsed JSON; `undefined` stands for an empty body */
  judge(schema: Schema, value: unknown): Judgement {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      validate = compiledAhead(schema) ?? (this.#ajv ??= contractAjv()).compile(schema);
      this.#compiled.set(schema, validate);
    }
    const seen = new Set<string>();
    const valid = validate.call(seen, value);
    const breaches = valid
      ? []
      : fewOfEach((validate.errors as ErrorObject[]).filter(ownError)).map((told) => {
          const error = withPlace(schema, value, told);
          return lacksEverything(error)
            ? emptyObject(blame(schema, { ...error, keyword: 'type', params: {} }), error)
            : blame(schema, error, this.#mask);
        });
    return { seen, breaches: unique(breaches) };
  }
}

/** Ajv wraps each failing `then` into an error of its `if`, which tells nothing more. */
const ownError = (error: ErrorObject) => error.keyword !== 'if';

/**
 * An error with the schema, its parent and the value that it speaks of. Validators do not bring them along: most answers
 * break nothing, and code that holds every schema once more is long.
 */
function withPlace(root: Schema, value: unknown, error: ErrorObject): ErrorObject {
  const steps = stepsOf(error.schemaPath.replace(/^#/, ''));
  return {
    ...error,
    schema: at(root, steps),
    parentSchema: at(root, steps.slice(0, -1)) as Schema,
    data: at(value, pointerSteps(error.instancePath)),
  };
}

function at(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], root);
}

/** An object within another one that has none of its required fields is one breach, and not one for each field. */
function lacksEverything({ keyword, instancePath, schema, data }: ErrorObject): boolean {
  if (keyword !== 'required' || instancePath === '') return false;
  const names = schema as readonly string[];
  return names.length > 1 && names.every((name) => !(name in (data as object)));
}

/** @param blamed the rule of the object itself; the same for each of its fields, and so told once */
function emptyObject(blamed: Blame, { schema }: ErrorObject): Blame {
  const names = (schema as readonly string[]).join(', ');
  return { ...blamed, message: `the object has none of its required fields (${names})` };
}

/** A list of a million items that are wrong in the same way is told by the first ones. */
const MOST_ALIKE = 20;

function fewOfEach(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const counts = new Map<string, number>();
  return errors.filter(({ schemaPath, instancePath }) => {
    const key = `${schemaPath} ${instancePath.replace(/\/\d+(?=\/|$)/g, '/*')}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST_ALIKE;
  });
}

function unique(breaches: Blame[]): Blame[] {
  const kept = new Map<string, Blame>();
  for (const breach of breaches) {
    const key = `${breach.rule} ${breach.pointer}`;
    if (!kept.has(key)) kept.set(key, breach);
  }
  return [...kept.values()];
}
