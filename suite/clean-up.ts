import type { Platform } from './api/platform.ts';
import type { LeftBehind } from './left-behind.ts';

/**
 * Removes what a test has made with public calls, newest first, where the profile says how. Never throws.
 *
 * @param requests by type of record: method and path with {id}
 */
export async function cleanUp(
  platform: Platform,
  left: LeftBehind,
  requests: Readonly<Record<string, string>>,
): Promise<void> {
  for (const id of left.ids) {
    const request = requests[id.split(':')[0] as string];
    if (request === undefined) continue;
    const [method, path] = request.replace('{id}', id).split(' ') as [string, string];
    const answer = await platform
      .call({ method, path }, { label: `cleaning up: removing ${id}` })
      .catch(() => undefined);
    if (answer?.accepted) left.forget(id);
  }
}
