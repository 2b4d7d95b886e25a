import { isDeepStrictEqual } from 'node:util';
import type { RetryChallenge } from '../../../client/signed-retry.ts';
import { chosen, type Step } from '../../../generators/steps.ts';
import {
  credentialRequests,
  entriesOf,
  expect,
  lower,
  ownIds,
  succeeded,
  type Answer,
  type Credential,
  type Draft,
  type Profile,
  type Walk,
  type Wallet,
  type WalletRequest,
  type WalletSession,
} from '../../../suite/index.ts';
import { listUntil } from '../../support/credentials.ts';
import { ASSERTION_RULES, CLAIM_RULES } from '../../support/credentials.ts';
import {
  beginOnly,
  CODES,
  duplicate,
  DUPLICATES,
  mistakenRetry,
  otherBody,
  otherRequest,
  register,
  registerCode,
  usedAgain,
} from './credential-registrations.ts';
import {
  endSession,
  refusedBy,
  revoke,
  revokeAllButOne,
  revokeByItself,
  signIn,
  signInMistaken,
  signInRevoked,
  use,
  useEnded,
} from './credential-sessions.ts';
import { RETRY_MISTAKES } from './retry-mistakes.ts';

/** What may be done to the credentials and sessions of an account, legal and illegal. */
export const CREDENTIAL_STEPS = [
  'register OAUTH',
  'register PASSKEY',
  'register a code',
  'the same once more',
  'begin only',
  'mistaken retry',
  'mistaken retry',
  'mistaken retry',
  'other request',
  'other body',
  'used requestId',
  'sign in',
  'sign in with a mistake',
  'sign in with a mistake',
  'sign in revoked',
  'use',
  'use ended',
  'use foreign',
  'revoke',
  'revoke',
  'revoke by itself',
  'revoke all but one',
  'end session',
] as const;
export type CredentialStep = (typeof CREDENTIAL_STEPS)[number];

/** Rules that a walk can hold. */
export const CREDENTIAL_RULES = [
  ...new Set([
    ...RETRY_MISTAKES.map(({ rule }) => rule),
    ...Object.values(CLAIM_RULES),
    ...Object.values(ASSERTION_RULES).filter((rule) => rule !== 'VERIFY-PASSKEY-CHALLENGE-TEXT'),
    ...Object.values(DUPLICATES).map(([rule]) => rule),
    'CREDENTIAL-CREATE-ECHO',
    'CREDENTIAL-OAUTH-NICKNAME',
    'CREDENTIAL-PASSKEY-NICKNAME',
    'CREDENTIAL-CREATE-LISTED',
    'CREDENTIAL-LIST-COMPLETE',
    'CREDENTIAL-LIST-DROPS-REVOKED',
    'CREDENTIAL-REVOKE-COMPLETES',
    'CREDENTIAL-REVOKE-ENDS-LOGIN',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    'CREDENTIAL-REVOKE-KEEPS-OTHERS',
    'CREDENTIAL-REVOKE-ONLY',
    'CREDENTIAL-REVOKE-OTHER-CREDENTIAL',
    'CREDENTIAL-REVOKE-OWN-SESSION',
    'CREDENTIAL-LIST-ONLY-ACCOUNT',
    'CREDENTIAL-PASSKEY-ID-ECHO',
    'RETRY-BOUND-TO-OPERATION',
    'RETRY-CREDENTIAL-CREATE',
    'RETRY-CREDENTIAL-REVOKE',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'RETRY-REQUEST-ID-NEW',
    'RETRY-REQUEST-ID-SINGLE-USE',
    'RETRY-SAME-BODY',
    'SESSION-ANY-CREDENTIAL',
    'SESSION-REVOKE-KEEPS-OTHERS',
    'STAMP-OTHER-ACCOUNT-SESSION',
    'STAMP-REVOKED-SESSION',
  ]),
];

/** A credential as the model knows it. */
export interface KnownCredential {
  readonly credential: Credential;
  readonly draft: Draft | undefined;
  alive: boolean;
}

/** A session as the model knows it. */
export interface KnownSession {
  readonly session: WalletSession;
  readonly of: KnownCredential;
  /** Undefined while it lives, else the rule that it signs no more. */
  ended: string | undefined;
  /** Whether somebody has signed in since. */
  isOvertaken: boolean;
  /** Whether something beside it has been ended since. */
  keptBy: string;
}

/**
 * The credentials and sessions of one account, one step after another: what is known of them, and what must hold after each
 * step. The steps themselves stand in credential-registrations.ts and credential-sessions.ts.
 */
export class CredentialModel {
  readonly wallet: Wallet;
  readonly on: Walk;
  readonly foreign: WalletSession;
  readonly profile: Profile;
  readonly credentials: KnownCredential[] = [];
  readonly sessions: KnownSession[] = [];
  readonly used: { request: WalletRequest; challenge: RetryChallenge; by: WalletSession }[] = [];
  /** Which request got which requestId. */
  readonly requestIds = new Map<string, string>();

  constructor(
    {
      wallet,
      credential,
      session,
      foreign,
      profile,
    }: {
      wallet: Wallet;
      credential: Credential;
      session: WalletSession;
      foreign: WalletSession;
      profile: Profile;
    },
    on: Walk,
  ) {
    this.wallet = wallet;
    this.on = on;
    this.foreign = foreign;
    this.profile = profile;
    for (const prepared of wallet.credentials)
      if (prepared.id !== credential.id)
        this.credentials.push({ credential: prepared, draft: undefined, alive: true });
    const known = { credential, draft: undefined, alive: true };
    this.credentials.push(known);
    this.sessions.push({
      session,
      of: known,
      ended: undefined,
      isOvertaken: false,
      keptBy: 'SESSION-ANY-CREDENTIAL',
    });
  }

  async take({ do: name, which, what }: Step<CredentialStep>): Promise<void> {
    if (this.signers().length === 0) await signIn(this, chosen(this.provable(), which));
    const by = chosen(this.signers(), which);
    if (!by) return;
    switch (name) {
      case 'register OAUTH':
      case 'register PASSKEY':
        return register(
          this,
          name === 'register PASSKEY' && this.profile.capabilities.includes('passkey')
            ? this.wallet.draftPasskey()
            : await this.wallet.draftOauth(),
          by,
        );
      case 'register a code':
        return registerCode(this, what % 2 === 0 ? 'EMAIL_OTP' : 'SMS_OTP', by);
      case 'the same once more':
        return duplicate(this, by, what);
      case 'begin only':
        return beginOnly(this);
      case 'mistaken retry':
        return mistakenRetry(this, by, which * 8 + what);
      case 'other request':
        return otherRequest(this, by);
      case 'other body':
        return otherBody(this, by);
      case 'used requestId':
        return usedAgain(this, what);
      case 'sign in':
        return signIn(this, chosen(this.provable(), what));
      case 'sign in with a mistake':
        return signInMistaken(this, by, which * 8 + what);
      case 'sign in revoked':
        return signInRevoked(this, by, what);
      case 'use':
        return use(this, chosen(this.live(), what) ?? by);
      case 'use ended':
        return useEnded(this, by, what);
      case 'use foreign':
        return refusedBy(this, this.foreign, 'STAMP-OTHER-ACCOUNT-SESSION', 'a session of another account');
      case 'revoke':
        return revoke(this, by, what);
      case 'revoke by itself':
        return revokeByItself(this, by);
      case 'revoke all but one':
        return revokeAllButOne(this, by);
      case 'end session':
        return endSession(this, by, what);
    }
  }

  live(): KnownSession[] {
    return this.sessions.filter(({ ended }) => ended === undefined);
  }

  /** Those that certainly sign. */
  signers(): KnownSession[] {
    return this.live().filter(({ isOvertaken }) => !isOvertaken);
  }

  alive(): KnownCredential[] {
    return this.credentials.filter(({ alive }) => alive);
  }

  provable(): KnownCredential[] {
    return this.alive().filter(({ credential }) => !CODES.includes(credential.type));
  }

  name(one: KnownCredential): string {
    return `credential ${this.credentials.indexOf(one) + 1} (${one.credential.type})`;
  }

  /** A request that any session of the account may sign. */
  async anyRequest(label: string): Promise<WalletRequest & { readonly draft: Draft }> {
    const draft = await this.wallet.usualDraft();
    return { ...credentialRequests.register(draft.body), label, draft };
  }

  /** No two requests get one requestId; the same request that is sent again may. */
  async noteNew({ requestId }: RetryChallenge, first: Answer): Promise<void> {
    const { method, url, body = '' } = first.exchange.request;
    const request = `${method} ${url} ${body}`;
    await this.on.hold(
      'RETRY-REQUEST-ID-NEW',
      () =>
        expect(this.requestIds.get(requestId) ?? request, 'the request that got this requestId before').toBe(
          request,
        ),
      [first],
    );
    this.requestIds.set(requestId, request);
  }

  /** Registers one more credential, which tells live keys from dead ones. */
  async probe(session: WalletSession, label: string) {
    const done = await this.wallet.register(await this.wallet.usualDraft(), session, { label });
    this.on.told(done.answer);
    if (done.credential)
      this.credentials.push({ credential: done.credential, draft: done.draft, alive: true });
    return done;
  }

  /** The list holds exactly the credentials that the account has. @param rule of the last step */
  async list(rule: string): Promise<void> {
    const expected = this.alive()
      .map(({ credential }) => lower(credential.id))
      .sort();
    const list = this.on.told(
      await listUntil(this.wallet, (seen) => isDeepStrictEqual(ownIds(seen, this.wallet), expected)),
    );
    this.on.must(succeeded(list), 'the list could not be read');
    await this.on.hold(
      'CREDENTIAL-LIST-ONLY-ACCOUNT',
      () =>
        expect(
          entriesOf(list).filter(
            (entry) => entry.accountId && lower(entry.accountId) !== lower(this.wallet.accountId),
          ),
          'entries of other accounts',
        ).toEqual([]),
      [list],
    );
    await this.on.hold(
      rule,
      () => expect([...new Set(ownIds(list, this.wallet))], 'credentials of the account').toEqual(expected),
      { evidence: [list], assumes: ['effectSeconds'] },
    );
    await this.on.hold(
      'CREDENTIAL-LIST-COMPLETE',
      () => expect(ownIds(list, this.wallet).length, 'entries of the list').toBe(expected.length),
      { evidence: [list], assumes: ['effectSeconds'] },
    );
  }
}
