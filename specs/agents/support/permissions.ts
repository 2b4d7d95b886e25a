import type { Answer } from '../../../suite/index.ts';
import { objectsIn } from './sighting.ts';

/** Whether an answer of open shape shows a policy with exactly these permissions. */
export function showsPermissions(answer: Answer, permissions: readonly string[]): boolean {
  return permissionsIn(answer)?.sort().join() === [...permissions].sort().join();
}

/** The permissions of a policy: of the answer itself, of its policy, or of the agent in it. */
function permissionsIn(answer: Answer): string[] | undefined {
  for (const one of objectsIn(answer))
    for (const holder of [one, one['policy'] as Record<string, unknown> | undefined]) {
      const permissions: unknown = holder?.['permissions'];
      if (Array.isArray(permissions)) return (permissions as unknown[]).map(String);
    }
  return undefined;
}
