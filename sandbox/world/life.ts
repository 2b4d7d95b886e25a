/** The life of one kind of record: from each status, where it may go. An empty list is an end. */
export interface Life<Status extends string = string> {
  readonly kind: string;
  readonly moves: { readonly [From in Status]: readonly Status[] };
}

/** A record that has a life. Its status changes through the rule changeStatus and through nothing else. */
export interface Living {
  readonly id: string;
  readonly status: string;
}

/** Somebody tried to move a record where its life does not lead: a mistake in the sandbox, not of a caller. */
export class IllegalMove extends Error {
  constructor({ kind }: Life, { id, status }: Living, to: string) {
    super(`The ${kind} ${id} is ${status} and cannot become ${to}.`);
  }
}

export function leadsTo(life: Life, from: string, to: string): boolean {
  return life.moves[from]?.includes(to) ?? false;
}
