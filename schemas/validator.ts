import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { blame, type Blame } from './blame.ts';
import type { Schema } from './contract.ts';

/** The outcome of holding one value against one schema. */
export interface Judgement {
  /** Rules whose schema was evaluated on the value, broken or not. */
  readonly seen: ReadonlySet<string>;
  readonly breaches: readonly Blame[];
}

/** Keywords of openapi.yaml that carry information and no constraint. */
const SILENT_KEYWORDS = ['x-brand', 'x-known-values', 'x-removed-values', 'x-resource-type', 'x-source'];

/**
 * Holds values against schemas of the contract. Each schema is compiled once, when first used.
 *
 * A custom keyword `x-rule` notes every rule whose schema is evaluated, so that a rule counts as observed only when
 * an answer really had something to hold against it.
 */
export class Validator {
  #seen = new Set<string>();
  readonly #compiled = new WeakMap<object, ValidateFunction>();
  readonly #ajv: Ajv2020;
  readonly #mask: (text: string) => string;

  /** @param mask removes secrets from what messages show of a value, before it is cut */
  constructor(mask: (text: string) => string = (text) => text) {
    this.#mask = mask;
    this.#ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      strictTypes: false,
    });
    addFormats.default(this.#ajv);
    for (const keyword of SILENT_KEYWORDS) this.#ajv.addKeyword({ keyword });
    this.#ajv.addKeyword({
      keyword: 'x-rule',
      schemaType: 'string',
      validate: (rule: string) => {
        this.#seen.add(rule);
        return true;
      },
    });
  }

  /** @param value parsed JSON; `undefined` stands for an empty body */
  judge(schema: Schema, value: unknown): Judgement {
    let validate = this.#compiled.get(schema);
    if (!validate) this.#compiled.set(schema, (validate = this.#ajv.compile(schema)));
    this.#seen = new Set();
    const valid = validate(value);
    const breaches = valid
      ? []
      : fewOfEach((validate.errors as ErrorObject[]).filter(ownError)).map((error) =>
          lacksEverything(error)
            ? emptyObject(blame(schema, { ...error, keyword: 'type', params: {} }), error)
            : blame(schema, error, this.#mask),
        );
    return { seen: this.#seen, breaches: unique(breaches) };
  }
}

/** Ajv wraps each failing `then` into an error of its `if`, which tells nothing more. */
const ownError = (error: ErrorObject) => error.keyword !== 'if';

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
