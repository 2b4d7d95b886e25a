import type { Json } from './json.ts';

/** An answer before it is written: `body` undefined means none at all. */
export interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: Json): Reply => ({ status: 200, body });
export const created = (body: Json): Reply => ({ status: 201, body });
export const noContent = (): Reply => ({ status: 204 });
