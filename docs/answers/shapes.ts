/* JSON Schemas of answers, made from the answers themselves. */

/** The part of JSON Schema that an answer can show. */
// A type and no interface, so that it is a Schema of the sandbox too.
export type Shape = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly format?: string;
  readonly pattern?: string;
  /** Words that were seen; there may be others. */
  readonly examples?: readonly string[];
  /** A record by the type that stands in its id. */
  readonly $ref?: string;
};

/** Shapes of records, by the type that stands in their ids. */
export type Records = Map<string, Shape>;

const ID = /^([A-Z]\w+):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const WORD = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
/** More words than these are no list of words. */
const MOST_WORDS = 30;
/** Deeper values are whatever somebody sent. */
const DEEPEST = 6;

/** The shape of one value. A record in it becomes a reference, and adds to what `records` knows of its type. */
export function shapeOf(value: unknown, records: Records, depth = 0): Shape {
  if (depth > DEEPEST) return {};
  if (value === null) return { type: 'null' };
  if (typeof value === 'string') return shapeOfText(value);
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value !== 'object') return { type: typeof value };
  if (Array.isArray(value)) {
    const items = value.map((item) => shapeOf(item, records, depth + 1));
    return { type: 'array', ...(items.length > 0 && { items: items.reduce(merged) }) };
  }
  const { id } = value as { id?: unknown };
  const record = typeof id === 'string' ? ID.exec(id)?.[1] : undefined;
  const fields = Object.entries(value);
  const below = record === undefined ? depth + 1 : 1;
  const shape: Shape = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field, records, below)])),
    required: fields.map(([name]) => name).sort(),
  };
  if (record === undefined) return shape;
  const known = records.get(record);
  records.set(record, known ? merged(known, shape) : shape);
  return { $ref: record };
}

function shapeOfText(text: string): Shape {
  const record = ID.exec(text)?.[1];
  if (record !== undefined) return { type: 'string', pattern: `^${record}:` };
  if (TIME.test(text)) return { type: 'string', format: 'date-time' };
  return { type: 'string', ...(WORD.test(text) && { examples: [text] }) };
}

/** The narrowest shape of this kind that allows what either allows. */
export function merged(one: Shape, other: Shape): Shape {
  if (one.$ref !== other.$ref) return {};
  if (one.$ref !== undefined) return one;
  if (one.type === undefined || other.type === undefined) return {};
  const types = new Set([one.type, other.type].flat());
  if (types.has('number')) types.delete('integer');
  // What only one of two kinds of value says stays; what both say must be the same.
  const says = (shape: Shape, kind: string) => [shape.type].flat().includes(kind);
  const both = (kind: string) => says(one, kind) && says(other, kind);
  const [texts, objects, arrays] = [both('string'), both('object'), both('array')];
  const same = <K extends 'format' | 'pattern'>(key: K) =>
    texts ? (one[key] === other[key] ? one[key] : undefined) : (one[key] ?? other[key]);
  const words = [...new Set([...(one.examples ?? []), ...(other.examples ?? [])])].sort();
  const areWords = texts ? one.examples && other.examples && words.length <= MOST_WORDS : words.length > 0;
  return withoutUndefined({
    type: types.size === 1 ? [...types][0]! : [...types].sort(),
    format: same('format'),
    pattern: same('pattern'),
    examples: areWords ? words : undefined,
    items: arrays ? either(one.items, other.items) : (one.items ?? other.items),
    properties: mergedFields(one.properties, other.properties),
    required: objects
      ? one.required!.filter((name) => other.required!.includes(name))
      : (one.required ?? other.required),
  });
}

const either = (one: Shape | undefined, other: Shape | undefined): Shape | undefined =>
  one && other ? merged(one, other) : (one ?? other);

function mergedFields(one: Shape['properties'], other: Shape['properties']): Shape['properties'] {
  if (!one || !other) return one ?? other;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(names.map((name) => [name, either(one[name], other[name])!]));
}

function withoutUndefined(shape: { [K in keyof Shape]: Shape[K] | undefined }): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
}
