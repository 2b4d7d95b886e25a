import type { Contract } from '../../schemas/contract.ts';
import { GUESSED_READS } from './guessed-reads.ts';

/**
 * The contract with the paths of one target, where the interface does not give them.
 *
 * @param paths by operation id: a path template, or a method and a path template
 */
export function withPaths(contract: Contract, paths: Readonly<Record<string, string>>): Contract {
  if (Object.keys(paths).length === 0) return contract;
  const operations = new Map(contract.operations);
  for (const [id, told] of Object.entries(paths)) {
    if (id in GUESSED_READS) continue;
    const operation = operations.get(id);
    if (!operation) throw new Error(`openapi.yaml has no operation ${id}`);
    const [path = told, method = operation.method] = told.split(' ').reverse();
    operations.set(id, { ...operation, path, method });
  }
  return { ...contract, operations };
}
