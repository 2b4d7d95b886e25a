/**
 * The contract as data. openapi.yaml says what answers look like, and each shape names the rule that is blamed for it;
 * `rules/` has all rules. Here operations and components are read, validator.ts holds a value against them.
 */
import { deserialize, serialize } from 'node:v8';
import { applyBrand } from './brand.ts';
import { contractDigest, recall, remember } from './cache.ts';
import { recallCompiled } from './compiled.ts';
import { readYaml } from './read-yaml.ts';

/** A JSON Schema as it stands in openapi.yaml, references resolved. */
export type Schema = { readonly [keyword: string]: unknown };

/** One operation of the contract. */
export interface Operation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Template below the base URL, such as `/quotes/{quoteId}/authorize`. */
  readonly path: string;
  /** By HTTP status; `2XX` where the interface names no success status, `default` for every other. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** The rule of the documented success statuses; absent where the interface names none. */
  readonly statusRule?: string;
  /** Rules that are blamed for a fault of the service, where no other is. */
  readonly faultRule?: FaultRule;
  /** Components that an answer of open shape is held against when it is recognised as one. */
  readonly mayReturn: readonly string[];
  /** The same for the elements of the body's `data`. */
  readonly mayList: readonly string[];
  /**
   * True when the operation is known from deployments only: that it is there, and how it refuses, is nobody's rule. A record
   * of the interface that it shows is still one.
   */
  readonly factsOnly: boolean;
}

/** The rules that say that a request which obeys is answered. */
export interface FaultRule {
  readonly rule: string;
  /** Of the signed retry, where it is another one. */
  readonly signed?: string;
  /** Those that say it of one variant: they are blamed in its place. */
  readonly narrower?: readonly string[];
  /** What the request has to say is not shown. */
  readonly guess?: boolean;
}

export interface Answer {
  readonly schema?: Schema;
  readonly headers: ReadonlyMap<string, Schema>;
  /** The rule that is broken when there is a body. */
  readonly noBodyRule?: string;
}

export interface Contract {
  readonly brand: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly components: ReadonlyMap<string, Schema>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const cache = new Map<string, Promise<Contract>>();

/**
 * The contract of openapi.yaml, references resolved, with brand-dependent names in the given brand.
 *
 * @param brand word that stands in the brand's place, `Service` in interface.md
 */
export function loadContract(brand: string): Promise<Contract> {
  let contract = cache.get(brand);
  if (!contract) cache.set(brand, (contract = read(brand)));
  return contract;
}

async function read(brand: string): Promise<Contract> {
  const api = recalled(brand) ?? (await dereferenced(brand));
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS) {
      const raw = item[method];
      if (raw) operations.set(raw.operationId, toOperation(method, path, raw));
    }
  }
  const contract = { brand, operations, components: new Map(Object.entries(api.components.schemas)) };
  recallCompiled(contract);
  return contract;
}

const nameOf = (brand: string) => `contract-${contractDigest(brand)}.bin`;

/** Reading and resolving takes every worker a quarter of a second. Node's own form keeps what is shared shared. */
function recalled(brand: string): Document | undefined {
  const bytes = recall(nameOf(brand));
  try {
    return bytes && (deserialize(bytes) as Document);
  } catch {
    // Half a file, or one of another release of Node.
    return undefined;
  }
}

async function dereferenced(brand: string): Promise<Document> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const document = applyBrand(withoutExamples(discriminated(readYaml('openapi.yaml'))), brand);
  const api = (await SwaggerParser.dereference(document as never)) as unknown as Document;
  remember(nameOf(brand), serialize(api));
  return api;
}

/** Examples of bodies are for readers and tools, and lie in a file of their own. Those of schemas are left alone. */
function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'examples' || Array.isArray(value))
      .map(([key, value]) => [key, withoutExamples(value)]),
  );
}

interface RawOperation {
  operationId: string;
  responses: Record<string, RawResponse>;
  'x-status-rule'?: string;
  'x-fault-rule'?: FaultRule;
  'x-may-return'?: string[];
  'x-may-list'?: string[];
  'x-source'?: string;
}
interface RawResponse {
  content?: Record<string, { schema?: Schema }>;
  headers?: Record<string, { schema?: Schema }>;
  'x-no-body-rule'?: string;
}
interface Document {
  paths: Record<string, Partial<Record<(typeof METHODS)[number], RawOperation>>>;
  components: { schemas: Record<string, Schema> };
}

function toOperation(method: string, path: string, raw: RawOperation): Operation {
  const answers = new Map<string, Answer>();
  for (const [status, response] of Object.entries(raw.responses)) answers.set(status, toAnswer(response));
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    answers,
    factsOnly: raw['x-source'] === 'facts',
    mayReturn: raw['x-may-return'] ?? [],
    mayList: raw['x-may-list'] ?? [],
    ...(raw['x-fault-rule'] ? { faultRule: raw['x-fault-rule'] } : {}),
    ...(raw['x-status-rule'] ? { statusRule: raw['x-status-rule'] } : {}),
  };
}

function toAnswer(response: RawResponse): Answer {
  const schema = response.content?.['application/json']?.schema;
  const noBodyRule = response['x-no-body-rule'];
  const headers = new Map<string, Schema>();
  for (const [name, header] of Object.entries(response.headers ?? {}))
    if (header.schema) headers.set(name, header.schema);
  return { headers, ...(schema ? { schema } : {}), ...(noBodyRule ? { noBodyRule } : {}) };
}

type Node = { readonly [keyword: string]: unknown };

/**
 * A copy of a document in which every `oneOf` beside a `discriminator` is written with `if` and `then`, one branch a member:
 * the same demand, but a mistake is told in the one branch that applies, and not once for each member. A value that no member
 * has fits no branch: the field's own enum refuses it.
 */
export function discriminated(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(discriminated);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, discriminated(value)]),
  );
  const { oneOf, discriminator, allOf = [], ...beside } = copy;
  if (!isDiscriminator(discriminator)) return copy;
  return { ...beside, allOf: [...(allOf as Node[]), ...(oneOf as Node[]).map(branch(discriminator))] };
}

interface Discriminator {
  readonly propertyName: string;
  /** The schema of each value, as a reference. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** Within `properties` a field may be called that; it is none then. */
function isDiscriminator(node: unknown): node is Discriminator {
  return typeof (node as Discriminator | undefined)?.propertyName === 'string';
}

const branch =
  ({ propertyName, mapping }: Discriminator) =>
  (member: Node) => {
    const values = Object.keys(mapping).filter((value) => mapping[value] === member['$ref']);
    return {
      if: { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: values } } },
      then: member,
    };
  };
