import { resolved } from './schemas.ts';
import { type Schema, discriminated } from '../schemas/contract.ts';
import { readYaml } from '../schemas/read-yaml.ts';

/** A value that stands in the path or the query of a request. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
}

/** What openapi.yaml says of the requests of one operation. */
export interface RequestShape {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly required: boolean };
  /**
   * False where the operation is known from deployments only: what it takes is nobody's rule, and what it makes of a
   * mistake is an observation.
   */
  readonly stated: boolean;
}

interface RawParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly 'x-source'?: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, RawParameter>> };
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const PARAMETERS = '#/components/parameters/';

let shapes: readonly RequestShape[] | undefined;

/** The requests of every operation of openapi.yaml that takes a body, a query or a value in its path. */
export function requestShapes(): readonly RequestShape[] {
  return (shapes ??= read().filter(({ body, parameters }) => body !== undefined || parameters.length > 0));
}

/** @throws Error when openapi.yaml has no such operation with a body or a parameter: a defect of Assay */
export function requestShape(operation: string): RequestShape {
  const found = requestShapes().find((shape) => shape.operation === operation);
  if (!found) throw new Error(`openapi.yaml has no operation ${operation} that takes anything`);
  return found;
}

function read(): RequestShape[] {
  const { paths, components } = discriminated(readYaml('openapi.yaml')) as Document;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, raw]): RequestShape => {
        const all = (raw.parameters ?? []).map((one) =>
          one.$ref ? (components.parameters[one.$ref.slice(PARAMETERS.length)] as RawParameter) : one,
        );
        const parameters = all
          .filter((one) => one.in === 'path' || one.in === 'query')
          .map(({ name, in: place, required = false }) => ({
            name,
            in: place as 'path' | 'query',
            required,
          }));
        const schema = raw.requestBody?.content['application/json'].schema;
        return {
          operation: raw.operationId,
          method: method.toUpperCase(),
          path,
          parameters,
          ...(schema ? { body: { schema, required: raw.requestBody?.required ?? false } } : {}),
          stated: raw['x-source'] !== 'facts' && !(schema && resolved(schema)['x-source'] === 'facts'),
        };
      }),
  );
}
