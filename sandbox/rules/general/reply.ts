import type { Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';

/** Last look at every answer before it is written. */
export function finishReply(_world: World, reply: Reply): Reply {
  return reply;
}

/** The media type of every answer that has a body. */
export function contentType(_world: World, _reply: Reply): string {
  return 'application/json; charset=utf-8';
}

/** The path that the routes know a called path by. */
export function servedPath(_world: World, path: string): string {
  return path;
}
