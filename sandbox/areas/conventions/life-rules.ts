import { IllegalMove, leadsTo, type Life, type Living } from '../../world/life.ts';
import type { World } from '../../world/world.ts';

/** Moves a record to another status. @throws IllegalMove where its life does not lead */
export function changeStatus(world: World, life: Life, record: Living, to: string): void {
  if (!world.rules.legalMove(life, record.status, to)) throw new IllegalMove(life, record, to);
  (record as { status: string }).status = to;
}

/** Ends what time has ended, before anything is read. */
export function passTime(world: World): void {
  const { rules } = world;
  rules.endRequests();
  rules.endSessions();
  rules.endLoginChallenges();
  rules.endScaChallenges();
  rules.endQuotes();
}

/** The tables of legal moves stand beside the records. */
export function legalMove(_world: World, life: Life, from: string, to: string): boolean {
  return leadsTo(life, from, to);
}
