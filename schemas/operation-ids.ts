import { readYaml } from './read-yaml.ts';

interface RawOperation {
  readonly operationId?: string;
  readonly 'x-source'?: string;
}

/** Ids of every operation of the contract, in the order of openapi.yaml. */
export function operationIds(): readonly string[] {
  return operations().map(({ id }) => id);
}

/** Path templates of the operations whose path the interface does not give, by id. */
export function unshownPaths(): ReadonlyMap<string, string> {
  return new Map(
    operations()
      .filter(({ factsOnly }) => factsOnly)
      .map(({ id, path }) => [id, path]),
  );
}

function operations() {
  const { paths } = readYaml('openapi.yaml') as { paths: Record<string, Record<string, RawOperation>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ operationId, 'x-source': source }) =>
      operationId === undefined ? [] : [{ id: operationId, path, factsOnly: source === 'facts' }],
    ),
  );
}
