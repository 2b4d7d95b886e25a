import type { Credential } from '../areas/credentials/records.ts';
import type { World } from '../world/world.ts';
import { faultsOf, field, type Presenter } from './fault.ts';

/** How far behind a replica that lags is, in milliseconds. */
const LAG = 2_000;

/** What goes wrong around a service: time zones, and replicas that lag behind. */
export const surroundingsFaults = faultsOf([
  [
    'quote-expires-in-local-time',
    'QUOTE-EXECUTABLE-UNTIL-EXPIRY',
    'expiresAt of a quote is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentQuote'),
  ],
  [
    'session-expires-in-local-time',
    'SESSION-VALID-UNTIL-EXPIRY',
    'expiresAt of a session is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentSession'),
  ],
  [
    'request-expires-in-local-time',
    'RETRY-VALID-UNTIL-EXPIRY',
    'expiresAt of a 202 is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentRequest'),
  ],
  [
    'credential-list-lags-behind',
    'CREDENTIAL-LIST-DROPS-REVOKED',
    'Credentials are listed by a replica that is two seconds behind.',
    {
      listedCredentials: (original) => {
        const seen = new WeakMap<World, Map<string, { at: number; rows: readonly Credential[] }>>();
        return (world, account) => {
          let ofWorld = seen.get(world);
          if (!ofWorld) seen.set(world, (ofWorld = new Map()));
          const last = ofWorld.get(account.id);
          const now = world.clock.now();
          if (last && now - last.at < LAG) return last.rows;
          const rows = original(world, account);
          ofWorld.set(account.id, { at: now, rows: [...rows] });
          return rows;
        };
      },
    },
    ['CREDENTIAL-LIST-COMPLETE', 'CREDENTIAL-CREATE-LISTED'],
  ],
]);

function inLocalTime(presenter: Presenter) {
  return field(presenter, 'expiresAt').mapText((text) =>
    new Date(Date.parse(text) + 3_600_000).toISOString(),
  );
}
