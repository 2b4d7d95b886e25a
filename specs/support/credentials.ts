import type { SignedRetry } from '../../client/signed-retry.ts';
import {
  eventually,
  expect,
  idsOf,
  inTime,
  isPromised,
  lower,
  succeeded,
  type Answer,
  type Check,
  type CredentialType,
  type Mistake,
  type Wallet,
  type WalletSession,
} from '../../suite/index.ts';
import type { CheckContext } from '../../suite/check.ts';
import type { InvalidStamp, MalformedStamp } from './tampered-stamps.ts';

/**
 * Statuses that refuse the revocation of an account's only credential (section Credential operations): 400, and where the first
 * call has answered 202, the retry may be refused before for its signer, which cannot be a session of another credential.
 */
export function refusalsOfOnly({ retries }: Pick<SignedRetry<Answer>, 'retries'>): readonly number[] {
  return retries.length > 0 ? [400, 401, 403] : [400];
}

/** Rules of operations after which what they name may not be there any more. */
export const ENDS_ITS_OBJECT = new Set([
  'RETRY-CREDENTIAL-REVOKE',
  'RETRY-SESSION-REVOKE',
  'RETRY-SESSION-REFRESH',
]);

export const INVALID = 'WALLET_SIGNATURE_INVALID';

/** "INVALID_SIGNATURE (signature header invalid)": the only signature header of the interface is the wallet's. */
export const GENERAL = 'INVALID_SIGNATURE';

/** A row that changes nothing in a payload is no mistake there. */
export function mistake<R extends InvalidStamp | MalformedStamp>(row: R): Mistake & { readonly row: R } {
  return {
    row,
    label: `with a stamp that ${row.says}`,
    tamper: { stamp: (...of) => row.make(...of) ?? '' },
  };
}

/** Whether a row makes another text of this payload. */
export function changes(row: InvalidStamp, payloadToSign: string, wallet: Wallet): boolean {
  return row.make(payloadToSign, wallet.newKey(), wallet.stampForm) !== undefined;
}

/** The path is not shown: only what asked for a signature and took it has revoked the session. */
export function needEnd({ need }: Wallet, revocation: SignedRetry<Answer>): void {
  need(revocation.first).available();
  need.completed(revocation);
}

/**
 * What the completeness of a list stands on. The text names no time for it; but where a list shows what came later, time is not
 * why it lacks what came before, and time is never why one thing stands there twice.
 *
 * @param ids of what the list has to hold, the oldest first
 */
export function listedInTime(list: Answer, ids: readonly string[]): CheckContext {
  const shown = idsOf(list);
  const isShown = ids.map((id) => shown.includes(lower(id)));
  const lacksOlder = isShown.slice(0, isShown.lastIndexOf(true)).includes(false);
  const showsTwice = new Set(shown).size < shown.length;
  return lacksOlder || showsTwice ? { evidence: [list] } : inTime(list);
}

/** What goes on in a session's place once it is refreshed, and signs. Ends the test where its key is not known. */
export async function needRefreshed(wallet: Wallet, session: WalletSession): Promise<WalletSession> {
  const { need } = wallet;
  const clientKey = wallet.newKey();
  const old = need.offered(session.id, 'the session came without an id');
  const { answer } = await wallet.sessions.refresh(old, session, clientKey);
  need(answer).available();
  const { encryptedSessionSigningKey, id, expiresAt } = answer.body ?? {};
  const opened = await wallet.sessions.openKey(encryptedSessionSigningKey, clientKey).catch(() => undefined);
  const refreshed = {
    ...session,
    key: need.offered(opened, 'which key the refreshed session signs with is not known'),
    id: typeof id === 'string' ? id : undefined,
    expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
  };
  await wallet.needSign(refreshed, 'a wallet request of the refreshed session');
  return refreshed;
}

/**
 * Leaves open what an account answers that only looks empty: every account is created with a credential, and nobody but a state
 * promises one without.
 */
export function needWasEmpty(wallet: Wallet, answer: Answer): void {
  const isForEmpty = ![202, 400, 401].includes(answer.exchange.response?.status ?? 0);
  wallet.need.offered(
    isPromised(wallet.state) || isForEmpty,
    'the list shows no credential, but every account is created with one: the list may be wrong',
  );
}

/** Holds that a request was carried out without a signed retry. */
export function isDoneAtOnce(answer: Answer): void {
  expect(answer).toBeAccepted();
  expect(answer.body ?? {}, 'no challenge to sign').not.toHaveProperty('payloadToSign');
}

/** A new credential is of the account and the type that were asked for. */
export function expectEcho(wallet: Wallet, type: CredentialType, body: Answer['body']): void {
  expect(lower(body.accountId)).toBe(lower(wallet.accountId));
  expect(body.type).toBe(type);
}

/** Lists an account's credentials until they are as awaited or the time is up: no sentence says that a list follows at once. */
export function listUntil(
  wallet: Wallet,
  awaited: (list: Answer) => boolean,
  label = "listing the account's credentials",
): Promise<Answer> {
  return eventually(
    () => wallet.list({ label }),
    (list) => !succeeded(list) || awaited(list),
    wallet.means.platform.patienceMs,
  );
}

/** The list once it shows these credentials, or as it was seen last. Ends the test where it is not answered. */
export async function listWith(wallet: Wallet, ...ids: readonly string[]): Promise<Answer> {
  const list = await listUntil(wallet, (seen) => ids.every((id) => idsOf(seen).includes(lower(id))));
  wallet.need(list).accepted();
  return list;
}

/** The same, once it does not show this one any more. */
export async function listWithout(wallet: Wallet, id: string): Promise<Answer> {
  const list = await listUntil(wallet, (seen) => !idsOf(seen).includes(lower(id)));
  wallet.need(list).accepted();
  return list;
}

/**
 * Holds that a list does not show a revoked credential any more. How soon it follows is not shown: where it shows one that was
 * registered after the revocation, it is not late.
 */
export async function expectDropped(check: Check, wallet: Wallet, id: string): Promise<boolean> {
  const shows = (list: Answer, one: string) => idsOf(list).includes(lower(one));
  let seen = await listWithout(wallet, id);
  let mayBeLate = shows(seen, id);
  if (mayBeLate) {
    const later = await wallet.addCredential('registering a credential after the revocation');
    seen = await listWith(wallet, later.id);
    mayBeLate = !shows(seen, later.id);
  }
  return check(
    'CREDENTIAL-LIST-DROPS-REVOKED',
    () => expect(idsOf(seen)).not.toContain(lower(id)),
    mayBeLate ? inTime(seen) : [seen],
  );
}
