import { createRequire } from 'node:module';
import type * as ajvCore from 'ajv';
import type * as ajv2020 from 'ajv/dist/2020.js';
import type * as ajvFormats from 'ajv-formats';
import { cacheFile, contractDigest, recall, remember } from './cache.ts';
import type { Contract, Schema } from './contract.ts';

/** Keywords of openapi.yaml that carry information and no constraint. */
const SILENT_KEYWORDS = ['x-brand', 'x-known-values', 'x-removed-values', 'x-resource-type', 'x-source'];
const require = createRequire(import.meta.url);
const ahead = new WeakMap<Schema, () => ajvCore.ValidateFunction | undefined>();

/**
 * Ajv as the contract's schemas are compiled. A validator takes the set of rules that it has evaluated as its `this`: the
 * keyword `x-rule` adds to it, so that a rule counts as observed only when an answer really had something to hold against it.
 */
export function contractAjv(): ajv2020.Ajv2020 {
  // Workers find everything compiled, and need none of these.
  const { _ } = require('ajv') as typeof ajvCore;
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof ajv2020;
  const addFormats = require('ajv-formats') as typeof ajvFormats.default;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    strictTypes: false,
    passContext: true,
    // A test holds openapi.yaml against the meta schema, once for all workers.
    validateSchema: false,
    code: { source: true },
  });
  addFormats.default(ajv);
  for (const keyword of SILENT_KEYWORDS) ajv.addKeyword({ keyword });
  ajv.addKeyword({
    keyword: 'x-rule',
    schemaType: 'string',
    code: ({ gen, schema }) => void gen.code(_`this.add(${schema as string})`),
  });
  return ajv;
}

/** The validator of a schema of the contract that was compiled ahead of time, if there is one. */
export function compiledAhead(schema: Schema): ajvCore.ValidateFunction | undefined {
  return ahead.get(schema)?.();
}

/**
 * Compiles every schema of the contract into a file that the workers of this run, and of later ones, need only load. What is
 * there already stays: its name is a digest of whatever decides what it holds.
 *
 * @param load reads the contract of this brand; only asked where there is something to compile
 */
export async function compileAhead(brand: string, load: () => Promise<Contract>): Promise<void> {
  const name = nameOf(brand);
  if (recall(name) !== undefined) return;
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const ajv = contractAjv();
  const names: Record<string, string> = {};
  for (const [at, schema] of schemasOf(await load()).entries()) {
    ajv.addSchema(schema, `schema${at}`);
    names[`schema${at}`] = `schema${at}`;
  }
  remember(name, standaloneCode.default(ajv, names));
}

/** Makes what was compiled ahead known for the schemas of a contract. Nothing is loaded before it is asked for. */
export function recallCompiled(contract: Contract): void {
  let loaded: Readonly<Record<string, ajvCore.ValidateFunction>> | undefined;
  const load = () => (loaded ??= loadOrNothing(contract.brand));
  for (const [at, schema] of schemasOf(contract).entries()) ahead.set(schema, () => load()?.[`schema${at}`]);
}

/** Each schema that an answer may be held against, once, in an order that is always the same. */
function schemasOf({ components, operations }: Contract): readonly Schema[] {
  const found = new Set<Schema>(components.values());
  for (const { answers } of operations.values())
    for (const { schema, headers } of answers.values()) {
      if (schema) found.add(schema);
      for (const header of headers.values()) found.add(header);
    }
  return [...found];
}

/** Undefined where nothing is there yet: it may be compiled later in the same process. */
function loadOrNothing(brand: string): Readonly<Record<string, ajvCore.ValidateFunction>> | undefined {
  const name = nameOf(brand);
  if (recall(name) === undefined) return undefined;
  return require(cacheFile(name)) as Readonly<Record<string, ajvCore.ValidateFunction>>;
}

function nameOf(brand: string): string {
  return `validators-${contractDigest(brand)}.cjs`;
}
