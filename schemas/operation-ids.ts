import { readYaml } from './read-yaml.ts';

/** Ids of every operation of the contract, in the order of openapi.yaml. */
export function operationIds(): readonly string[] {
  const { paths } = readYaml('openapi.yaml') as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation.operationId ?? []),
  );
}
