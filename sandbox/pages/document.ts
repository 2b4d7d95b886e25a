import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Area, Route } from '../server/area.ts';
import { contractDocument, type Schema, withLocalReferences } from '../server/contract-schemas.ts';
import { VERSION } from '../server/server.ts';

type Operation = { readonly [key: string]: unknown };
type PathItem = Record<string, unknown>;

/** What this module reads of sandbox/openapi.yaml. */
interface Outside {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly tags: readonly object[];
  readonly components: Readonly<Record<'securitySchemes' | 'parameters' | 'schemas', Record<string, Schema>>>;
}

/** Written by `npm run answers`, from real answers. */
export const ANSWERS = new URL('answers.json', import.meta.url);

/** What the sandbox has been seen to answer. */
export interface Answers {
  /** Shapes of records, by the type that stands in their ids. */
  readonly records: Readonly<Record<string, Schema>>;
  /** By `POST /quotes/:quoteId/execute` and status: a shape, null for no body, or the codes of a refusal. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, Schema | readonly string[] | null>>>>;
}

/** Where the server finds a path: provider states and health stand outside of the interface. */
const OUTSIDE = [{ url: '/' }];

/**
 * The OpenAPI document of this sandbox: the operations that its areas serve, each with the statuses and shapes that it answers. What
 * the contract says of an operation stands there too. Made from the routes and from real answers, so that it cannot fall behind them.
 *
 * @param world the world whose base URL stands first
 */
export function sandboxDocument(
  areas: readonly Area[],
  world = 'default',
): Readonly<Record<string, unknown>> & { readonly paths: object } {
  // Without the name of its dialect, which viewers refuse although it is what they assume.
  const { jsonSchemaDialect: _, ...contract } = contractDocument();
  const paths = structuredClone(contract.paths) as Record<string, PathItem>;
  const byShape = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]));
  const added = new Set<string>();
  const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;
  for (const area of areas) {
    for (const route of area.routes) {
      const path = byShape.get(shapeOf(braced(route.path))) ?? braced(route.path);
      byShape.set(shapeOf(path), path);
      const item = (paths[path] ??= {});
      const method = route.method.toLowerCase();
      if (!item[method]) added.add(area.name);
      const operation = (item[method] ?? operationOf(route, path, area.name)) as Operation;
      const responses = responsesOf(operation, route, answers.operations[`${route.method} ${route.path}`]);
      item[method] = { ...withQuery(operation, route), responses };
    }
  }
  const beside = outside(areas);
  for (const [path, item] of Object.entries(beside.paths)) paths[path] = { servers: OUTSIDE, ...item };
  return {
    ...contract,
    servers: [
      {
        url: `/{world}/${VERSION}`,
        description: 'This sandbox. A world has data of its own; see the page at /.',
        variables: { world: { default: world } },
      },
    ],
    tags: [
      ...contract.tags,
      ...beside.tags,
      ...[...added].map((name) => ({
        name,
        description: 'Not described by the contract; as the sandbox does it.',
      })),
    ],
    components: {
      ...contract.components,
      securitySchemes: { ...contract.components.securitySchemes, ...beside.components.securitySchemes },
      parameters: { ...contract.components.parameters, ...beside.components.parameters },
      schemas: {
        ...contract.components.schemas,
        ...beside.components.schemas,
        ...ownSchemas(answers.records, contract.components.schemas),
      },
    },
    paths,
  };
}

/** Paths are the same whatever their parameters are called. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');
/** Whether two paths, written in either way, are those of one operation. */
export const samePath = (one: string, other: string): boolean =>
  shapeOf(braced(one)) === shapeOf(braced(other));
const braced = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function operationOf(route: Route, path: string, tag: string): Operation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    operationId: `${route.method.toLowerCase()}${path.replace(/[^A-Za-z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary: route.summary ?? `${route.method} ${path}`,
    security: { platform: [{ BasicAuth: [] }], agent: [{ AgentAuth: [] }], none: [] }[route.auth],
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: {
              'application/json': {
                schema: bodySchema(route.body),
                ...(route.example === undefined ? {} : { example: route.example }),
              },
            },
          },
        }),
  };
}

/** A success as the contract shows it, or else as it was seen; each refusal with its codes, and those that the contract names. */
function responsesOf(
  operation: Operation,
  route: Route,
  seen: Answers['operations'][string] = {},
): Operation {
  const { '2XX': open, default: _, ...stated } = (operation['responses'] ?? {}) as Record<string, Operation>;
  const usual = String(operation['x-usual-status']);
  const refusals: Record<string, readonly string[]> = { ...usualRefusals(route) };
  const successes: Record<string, Operation> = {};
  for (const [status, answer] of Object.entries(seen))
    if (isCodes(answer)) refusals[status] = [...new Set([...(refusals[status] ?? []), ...answer])].sort();
    else successes[status] = stated[status] ?? success(answer, open, usual === status);
  const refused = Object.entries(refusals).map(([status, codes]) => [status, refusal(codes.join(', '))]);
  const others = refusal('Any other refusal has the same body.');
  return { ...stated, ...successes, ...Object.fromEntries(refused), default: others };
}

const isCodes = (answer: Schema | readonly string[] | null): answer is readonly string[] =>
  Array.isArray(answer);

function success(shape: Schema | null, stated: Operation | undefined, isUsual: boolean): Operation {
  if (shape === null) return { description: 'Done; no body.' };
  const { examples } =
    (stated?.['content'] as Record<string, { examples?: object }> | undefined)?.['application/json'] ?? {};
  return json('Done.', withRecords(shape), isUsual ? examples : undefined);
}

const json = (description: string, schema: unknown, examples?: object): Operation => ({
  description,
  content: { 'application/json': { schema, ...(examples && { examples }) } },
});

const refusal = (description: string): Operation =>
  json(description, { $ref: '#/components/schemas/SandboxRefusal' });

/** What any operation of its kind answers, whether a run saw it or not. */
function usualRefusals({ auth, body, path }: Route): Record<string, readonly string[]> {
  return {
    ...(auth !== 'none' && { 401: ['UNAUTHORIZED'] }),
    ...(body !== undefined && {
      400: ['INVALID_INPUT', 'INVALID_REQUEST_FORMAT'],
      413: ['PAYLOAD_TOO_LARGE'],
      415: ['UNSUPPORTED_MEDIA_TYPE'],
    }),
    ...(path.includes(':') && { 404: [] }),
  };
}

/** Its references are to types of records. */
function withRecords(shape: Schema): Schema {
  const text = JSON.stringify(shape).replace(/"\$ref":"(\w+)"/g, '"$ref":"#/components/schemas/Sandbox$1"');
  return JSON.parse(text) as Schema;
}

/** Records as they were seen, and the body of every refusal. */
function ownSchemas(
  records: Answers['records'],
  contract: Readonly<Record<string, Schema>>,
): Record<string, unknown> {
  const stated = new Map(Object.entries(contract).map(([name, schema]) => [schema['x-resource-type'], name]));
  const own = Object.entries(records).map(([type, seen]) => {
    const name = stated.get(type);
    const shape = withRecords(seen);
    return [
      `Sandbox${type}`,
      name === undefined ? shape : { allOf: [{ $ref: `#/components/schemas/${name}` }, shape] },
    ];
  });
  return { ...Object.fromEntries(own), SandboxRefusal: REFUSAL };
}

const REFUSAL = {
  type: 'object',
  required: ['status', 'code', 'message'],
  properties: {
    status: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string' },
    message: { type: 'string' },
    details: { type: 'object' },
  },
};

function bodySchema(body: string | Schema): unknown {
  return typeof body === 'string' ? { $ref: `#/components/schemas/${body}` } : withLocalReferences(body);
}

function withQuery(operation: Operation, route: Route): Operation {
  const known = (operation['parameters'] as { name?: string }[] | undefined) ?? [];
  const more = (route.query ?? [])
    .filter((name) => !known.some((parameter) => parameter.name === name))
    .map((name) => ({
      name,
      in: 'query',
      schema: name === 'limit' ? { type: 'integer', minimum: 1, maximum: 100 } : { type: 'string' },
    }));
  return { ...operation, parameters: [...known, ...more] };
}

/** What is served outside of the worlds: `../openapi.yaml`, with its references to the contract as they are in one document. */
function outside(areas: readonly Area[]): Outside {
  const text = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');
  const document = parse(text.replaceAll('../schemas/openapi.yaml#', '#')) as Outside;
  const states = areas.flatMap((area) => area.states.map(({ name }) => name));
  const { properties } = document.components.schemas['StateRequest'] as { properties: { state: object } };
  Object.assign(properties.state, { enum: states });
  return document;
}
