import type { Credential } from '../areas/credentials/records.ts';
import type { World } from '../world/world.ts';
import { faultsOf, field, type Presenter } from './fault.ts';

/** How far behind a replica that lags is, in milliseconds. */
const LAG = 2_000;

/** What goes wrong around a service: time zones, text encodings, replicas that lag behind. */
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
    'text-beyond-three-bytes-breaks',
    'TRANSFER-REMITTANCE-FREE-FORM',
    'A database that keeps three bytes a character refuses what needs four, as emoji do.',
    {
      submitTransferOut: (original) => (world, agent, body) => {
        if (/[\u{10000}-\u{10FFFF}]/u.test(String(body['remittanceInformation'] ?? '')))
          throw world.rules.refuseInternal();
        return original(world, agent, body);
      },
    },
  ],
  [
    'text-in-latin-1',
    'TRANSFER-REMITTANCE-FREE-FORM',
    'Text that Latin-1 cannot write is refused.',
    {
      submitTransferOut: (original) => (world, agent, body) => {
        if (/[^\u0000-\u00ff]/.test(String(body['remittanceInformation'] ?? '')))
          throw world.rules.refuseMalformedJson('a character cannot be written');
        return original(world, agent, body);
      },
    },
  ],
  [
    'text-measured-in-bytes',
    'TRANSFER-REMITTANCE-FREE-FORM',
    'The length of a text is counted in bytes of UTF-8, so that 80 letters of another script are too many.',
    { countCharacters: () => (_world, text) => Buffer.byteLength(text) },
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
  ],
]);

function inLocalTime(presenter: Presenter) {
  return field(presenter, 'expiresAt').mapText((text) =>
    new Date(Date.parse(text) + 3_600_000).toISOString(),
  );
}
