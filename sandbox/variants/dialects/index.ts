import type { Dialect } from '../choice.ts';
import { callDialects, timeDialects } from './calls.ts';
import { credentialDialects } from './credentials.ts';

/** Everything that a client has to know and the interface does not show, each done in another way. */
export const dialects: readonly Dialect[] = [...credentialDialects, ...callDialects, ...timeDialects];

/** The dialects of the world `dialect.<name>`: one key, or `all`. Undefined when the name means nothing. */
export function dialectsNamed(name: string): readonly Dialect[] | undefined {
  if (name === 'all') return dialects;
  const found = dialects.filter(({ key }) => key === name);
  return found.length > 0 ? found : undefined;
}
