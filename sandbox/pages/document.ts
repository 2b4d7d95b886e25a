import type { Area, Route } from '../server/area.ts';
import { contractDocument, type Schema, withLocalReferences } from '../server/contract-schemas.ts';
import { VERSION } from '../server/server.ts';

type Operation = { readonly [key: string]: unknown };
type PathItem = Record<string, unknown>;

/** Where the server finds a path: provider states and health stand outside of the interface. */
const OUTSIDE = [{ url: '/' }];

/**
 * The OpenAPI document of this sandbox: the contract, and beside it every operation that the areas serve and the contract does
 * not describe. Made from the routes, so that it cannot fall behind them.
 *
 * @param world the world whose base URL stands first
 */
export function sandboxDocument(areas: readonly Area[], world = 'default'): object {
  // Without the name of its dialect, which viewers refuse although it is what they assume.
  const { jsonSchemaDialect: _, ...contract } = contractDocument();
  const paths = structuredClone(contract.paths) as Record<string, PathItem>;
  const byShape = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]));
  const added = new Set<string>();
  for (const area of areas) {
    for (const route of area.routes) {
      const path = byShape.get(shapeOf(braced(route.path))) ?? braced(route.path);
      byShape.set(shapeOf(path), path);
      const item = (paths[path] ??= {});
      const method = route.method.toLowerCase();
      if (item[method]) item[method] = withQuery(item[method] as Operation, route);
      else {
        item[method] = operationOf(route, path, area.name);
        added.add(area.name);
      }
    }
  }
  paths['/health'] = { servers: OUTSIDE, get: healthOperation };
  paths['/{world}/provider-states'] = { servers: OUTSIDE, post: statesOperation(areas, world) };
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
      ...[...added].map((name) => ({
        name,
        description: 'Not described by the contract; as the sandbox does it.',
      })),
    ],
    paths,
  };
}

/** Paths are the same whatever their parameters are called. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const braced = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function operationOf(route: Route, path: string, tag: string): Operation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const operation = {
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
    responses: {
      '2XX': { description: 'Done.', content: { 'application/json': { schema: {} } } },
      default: { $ref: '#/components/responses/ErrorOther' },
    },
  };
  return withQuery(operation, route);
}

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

const healthOperation = {
  operationId: 'health',
  tags: ['sandbox'],
  summary: 'Whether the sandbox is up',
  security: [],
  responses: { '200': { description: 'It is.' } },
};

function statesOperation(areas: readonly Area[], world: string): Operation {
  return {
    operationId: 'providerStates',
    tags: ['sandbox'],
    summary: 'Prepare a situation',
    security: [],
    parameters: [{ name: 'world', in: 'path', required: true, schema: { type: 'string', default: world } }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['state'],
            properties: {
              state: { enum: areas.flatMap(({ states }) => states.map(({ name }) => name)) },
              params: { type: 'object' },
              action: { enum: ['setup', 'teardown'] },
            },
          },
          example: { state: 'agent', params: { approvalThreshold: 10_000 } },
        },
      },
    },
    responses: {
      '200': { description: 'The values of the state.', content: { 'application/json': { schema: {} } } },
      default: { description: 'Why not.', content: { 'application/json': { schema: {} } } },
    },
  };
}
