import { isDeepStrictEqual } from 'node:util';
import type { RetryChallenge } from '../../client/signed-retry.ts';
import { chosen, sequences, type Step } from '../../generators/steps.ts';
import {
  credentialRequests,
  entriesOf,
  expect,
  lower,
  ownIds,
  succeeded,
  survey,
  test,
  verifies,
  type Answer,
  type Credential,
  type CredentialType,
  type Profile,
  type Walk,
  type Wallet,
  type WalletRequest,
  type WalletSession,
} from '../../suite/index.ts';
import { listUntil, refusalsOfOnly } from '../support/credentials.ts';

/** What may be done to the credentials and sessions of an account, in whatever order. */
const CREDENTIAL_STEPS = [
  'register',
  'register',
  'register',
  'begin only',
  'used requestId',
  'sign in',
  'sign in revoked',
  'use',
  'use ended',
  'revoke',
  'revoke',
  'revoke all but one',
  'end session',
] as const;
type CredentialStep = (typeof CREDENTIAL_STEPS)[number];

/** Rules that a walk can hold. */
const CREDENTIAL_RULES = [
  'CREDENTIAL-CREATE-LISTED',
  'CREDENTIAL-LIST-COMPLETE',
  'CREDENTIAL-LIST-DROPS-REVOKED',
  'CREDENTIAL-LIST-ONLY-ACCOUNT',
  'CREDENTIAL-REVOKE-COMPLETES',
  'CREDENTIAL-REVOKE-ENDS-LOGIN',
  'CREDENTIAL-REVOKE-ENDS-SESSIONS',
  'CREDENTIAL-REVOKE-KEEPS-OTHERS',
  'CREDENTIAL-REVOKE-ONLY',
  'CREDENTIAL-REVOKE-OTHER-CREDENTIAL',
  'RETRY-CREDENTIAL-CREATE',
  'RETRY-CREDENTIAL-REVOKE',
  'RETRY-FIRST-CALL-CHANGES-NOTHING',
  'RETRY-REQUEST-ID-NEW',
  'RETRY-REQUEST-ID-SINGLE-USE',
  'SESSION-ANY-CREDENTIAL',
  'SESSION-REVOKE-KEEPS-OTHERS',
  'STAMP-REVOKED-SESSION',
];

/** Types whose logins cost a challenge each, and these are rate-limited: they are registered and revoked, not used. */
const CODES: readonly CredentialType[] = ['EMAIL_OTP', 'SMS_OTP'];

const NOTHING_TO_SIGN = 'the 202 gives nothing that can be signed';

interface KnownCredential {
  readonly credential: Credential;
  alive: boolean;
}

interface KnownSession {
  readonly session: WalletSession;
  readonly of: KnownCredential;
  /** Undefined while it lives, else the rule that it signs no more. */
  ended: string | undefined;
  /** Whether somebody has signed in since: a service may end the sessions that there are with each new one. */
  isOvertaken: boolean;
  /** The rule that it goes on to sign, by what was ended beside it last. */
  keptBy: string;
}

test(
  'whatever is done in whatever order, an account has the credentials and sessions that it should',
  verifies(...CREDENTIAL_RULES),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    given.needProve('OAUTH');
    await survey(
      check,
      sequences(CREDENTIAL_STEPS),
      async (steps, on) => {
        const model = new CredentialModel(await given.signedIn('OAUTH'), profile, on);
        for (const step of steps) await model.take(step);
      },
      { runs: 4 },
    );
  },
);

/** The credentials and sessions of one account, one step after another: what is known of them, and what must hold. */
class CredentialModel {
  readonly #wallet: Wallet;
  readonly #profile: Profile;
  readonly #on: Walk;
  readonly #credentials: KnownCredential[];
  readonly #sessions: KnownSession[];
  readonly #used: { request: WalletRequest; challenge: RetryChallenge; by: KnownSession }[] = [];
  /** Which request got which requestId. */
  readonly #requestIds = new Map<string, string>();

  constructor(
    { wallet, credential, session }: { wallet: Wallet; credential: Credential; session: WalletSession },
    profile: Profile,
    on: Walk,
  ) {
    this.#wallet = wallet;
    this.#profile = profile;
    this.#on = on;
    const of = { credential, alive: true };
    const prepared = wallet.credentials.filter(({ id }) => id !== credential.id);
    this.#credentials = [...prepared.map((one) => ({ credential: one, alive: true })), of];
    this.#sessions = [
      { session, of, ended: undefined, isOvertaken: false, keptBy: 'SESSION-ANY-CREDENTIAL' },
    ];
  }

  async take({ do: name, which, what }: Step<CredentialStep>): Promise<void> {
    const usable = this.#alive().filter(({ credential }) => !CODES.includes(credential.type));
    if (this.#signers().length === 0) await this.#signIn(chosen(usable, which));
    const by = chosen(this.#signers(), which);
    if (!by) return;
    switch (name) {
      case 'register':
        return this.#register(by, what);
      case 'begin only':
        return this.#beginOnly();
      case 'used requestId':
        return this.#useAgain(what);
      case 'sign in':
        return this.#signIn(chosen(usable, what));
      case 'sign in revoked':
        return this.#signInRevoked(by, what);
      case 'use':
        return this.#use(chosen(this.#live(), what) ?? by);
      case 'use ended':
        return this.#useEnded(by, what);
      case 'revoke':
        return this.#revoke(by, what);
      case 'revoke all but one':
        return this.#revokeAllButOne(by);
      case 'end session':
        return this.#endSession(by, what);
    }
  }

  #live(): KnownSession[] {
    return this.#sessions.filter(({ ended }) => ended === undefined);
  }

  /** Those that certainly sign. */
  #signers(): KnownSession[] {
    return this.#live().filter(({ isOvertaken }) => !isOvertaken);
  }

  #alive(): KnownCredential[] {
    return this.#credentials.filter(({ alive }) => alive);
  }

  #name(one: KnownCredential): string {
    return `credential ${this.#credentials.indexOf(one) + 1} (${one.credential.type})`;
  }

  // -------------------------------------------------------------------------------------------------- registrations

  async #register(by: KnownSession, what: number): Promise<void> {
    const isThere = (type: CredentialType) =>
      this.#alive().some(({ credential }) => credential.type === type);
    const types: CredentialType[] = ['OAUTH'];
    if (this.#profile.capabilities.includes('passkey')) types.push('PASSKEY');
    types.push(...CODES.filter((code) => !isThere(code)));
    const type = types[what % types.length] ?? 'OAUTH';
    const draft = await this.#wallet.draft(type);
    const label = `registering ${type}`;
    const done = await this.#wallet.register(draft, by.session, { label });
    const { first, challenge, answer, credential } = done;
    this.#on.told(first);
    first.tellFault();
    // What the body may want beside what is known is another matter.
    this.#on.need.that(succeeded(first), 'the first call was refused');
    await this.#on.hold('RETRY-CREDENTIAL-CREATE', () => expect(first).toHaveHttpStatus(202));
    const held = await this.#noteNew(challenge, first);
    this.#on.told(answer);
    answer.tellFault();
    // A service may hold one identity of each provider: then this step leaves everything as it was.
    if (type === 'OAUTH' && isThere(type) && !succeeded(answer)) return;
    // Why one is refused after much has been done is for the specs that do one thing alone.
    this.#on.need.that(succeeded(answer), 'the credential was not registered');
    const added = this.#on.need.that(credential, 'the credential came without an id');
    this.#credentials.push({ credential: added, alive: true });
    this.#used.push({
      request: { ...credentialRequests.register(draft.body), label },
      challenge: held,
      by,
    });
    await this.#list('CREDENTIAL-CREATE-LISTED');
  }

  async #beginOnly(): Promise<void> {
    await this.#list('CREDENTIAL-LIST-DROPS-REVOKED');
    const { body } = await this.#wallet.anyDraft();
    const label = 'a wallet request that is only begun';
    const { first, challenge } = await this.#wallet.begin({ ...credentialRequests.register(body), label });
    this.#on.told(first);
    await this.#noteNew(challenge, first);
    await this.#list('RETRY-FIRST-CALL-CHANGES-NOTHING');
  }

  async #useAgain(what: number): Promise<void> {
    // A session that has ended refuses for itself.
    const used = chosen(
      this.#used.filter(({ by }) => this.#signers().includes(by)),
      what,
    );
    if (!used) return;
    const request = { ...used.request, label: `${used.request.label ?? ''}, its requestId once more` };
    const answer = this.#on.told(await this.#wallet.retry(request, used.challenge, used.by.session));
    this.#on.need.that(
      answer.exchange.response?.status !== 404,
      'what the retry was about is not found any more',
    );
    await this.#on.hold('RETRY-REQUEST-ID-SINGLE-USE', () => expect(answer).toBeRefused(400, 401));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  /** No two requests get one requestId; the same request that is sent again may. */
  async #noteNew(challenge: RetryChallenge | undefined, first: Answer): Promise<RetryChallenge> {
    const held = this.#on.need.that(challenge, NOTHING_TO_SIGN);
    const { method, url, body = '' } = first.exchange.request;
    const request = `${method} ${url} ${body}`;
    const before = this.#requestIds.get(held.requestId) ?? request;
    await this.#on.hold(
      'RETRY-REQUEST-ID-NEW',
      () => expect(before, 'the request that got this requestId before').toBe(request),
      [first],
    );
    this.#requestIds.set(held.requestId, request);
    return held;
  }

  // ------------------------------------------------------------------------------------------------------- sessions

  async #signIn(of: KnownCredential | undefined): Promise<void> {
    if (!of) return;
    const login = await this.#wallet.login(of.credential);
    this.#on.told(login.answer);
    const session = this.#on.need.that(login.session, login.problem ?? 'the login was refused');
    for (const each of this.#sessions) each.isOvertaken = true;
    const keptBy = 'SESSION-ANY-CREDENTIAL';
    this.#sessions.push({ session, of, ended: undefined, isOvertaken: false, keptBy });
  }

  async #signInRevoked(by: KnownSession, what: number): Promise<void> {
    const gone = () =>
      this.#credentials.filter(({ alive, credential }) => !alive && !CODES.includes(credential.type));
    if (gone().length === 0) {
      await this.#register(by, what % 2);
      await this.#revoke(by, this.#alive().filter((one) => one !== by.of).length - 1);
    }
    const one = chosen(gone(), what);
    if (!one) return;
    const login = await this.#wallet.login(one.credential);
    this.#on.told(login.answer);
    // A challenge that is given to nobody any more, or is refused, ends the login before its verify call.
    const isBegun = login.first ?? (login.challenge && !succeeded(login.challenge));
    this.#on.need.that(isBegun, login.problem ?? 'the login ended before its verify call');
    await this.#on.hold('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(login.answer).toBeRefused());
  }

  async #use(by: KnownSession): Promise<void> {
    const answer = await this.#signedBy(by.session, `a session of ${this.#name(by.of)}`);
    if (by.isOvertaken) this.#on.need.that(succeeded(answer), 'a later login has ended the session');
    if (!succeeded(answer)) {
      // The control: a new session of its credential signs. Else none ever could, whatever came between.
      const { session, problem } = await this.#wallet.login(by.of.credential);
      const fresh = this.#on.need.that(session, problem ?? 'the login was refused');
      const control = await this.#signedBy(fresh, `a new session of ${this.#name(by.of)}`);
      this.#on.need.that(succeeded(control), `no session of ${this.#name(by.of)} signs`);
    }
    await this.#on.hold(by.keptBy, () => expect(answer).toBeAccepted());
  }

  async #useEnded(by: KnownSession, what: number): Promise<void> {
    const ended = () => this.#sessions.filter((one) => one.ended !== undefined);
    if (ended().length === 0) {
      await this.#signIn(by.of);
      const newest = this.#on.need.that(this.#signers()[0], 'no session signs');
      await this.#endSession(newest, this.#live().indexOf(by));
    }
    const one = chosen(ended(), what);
    if (one) await this.#refused(one);
  }

  async #refused({ session, ended, of }: KnownSession): Promise<void> {
    const answer = await this.#signedBy(session, `an ended session of ${this.#name(of)}`);
    await this.#on.hold(ended ?? '', () => expect(answer).toBeRefused(401, 403));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #endSession(by: KnownSession, what: number): Promise<void> {
    const one = chosen(
      this.#live().filter((each) => each !== by && each.session.id !== undefined),
      what,
    );
    if (!one) return;
    const { challenge, answer } = await this.#wallet.sessions.revoke(one.session.id ?? '', by.session);
    // Path and body are not shown: only what asked for a signature and took it has ended the session.
    this.#on.need.that(challenge && succeeded(this.#on.told(answer)), 'this target does not end sessions');
    one.ended = 'STAMP-REVOKED-SESSION';
    for (const each of this.#live()) each.keptBy = 'SESSION-REVOKE-KEEPS-OTHERS';
  }

  /** The answer to a wallet request that this session signs: one more credential is registered, or none. */
  async #signedBy(session: WalletSession, whose: string): Promise<Answer> {
    const label = `a wallet request signed by ${whose}`;
    const { credential, retries, answer } = await this.#wallet.tryKey(session, { label });
    if (credential) this.#credentials.push({ credential, alive: true });
    this.#on.told(answer);
    this.#on.need.that(
      retries.length > 0 || (answer.exchange.response?.status ?? 0) >= 400,
      'the request could not be signed',
    );
    return answer;
  }

  // ---------------------------------------------------------------------------------------------------- revocations

  async #revoke(by: KnownSession, what: number): Promise<void> {
    const one = chosen(
      this.#alive().filter((each) => each !== by.of),
      what,
    );
    if (!one) return;
    const isThorough = what % 2 === 0;
    // Sessions of it, to be ended with it: each of them, and not the newest alone.
    if (isThorough && !CODES.includes(one.credential.type))
      for (let turn = 0; turn < 2; turn += 1) await this.#signIn(one);
    const label = `revoking ${this.#name(one)}`;
    const done = await this.#wallet.revoke(one.credential.id, by.session, { label });
    const { first, challenge, answer } = done;
    this.#on.told(first);
    this.#on.need.that(succeeded(first), 'the first call was refused');
    await this.#on.hold('RETRY-CREDENTIAL-REVOKE', () => expect(first).toHaveHttpStatus(202));
    await this.#noteNew(challenge, first);
    this.#on.told(answer);
    // Refused for want of authority, it is the signer that is not taken: unless it signs all else.
    if ([401, 403].includes(answer.status)) {
      const other = await this.#signedBy(by.session, `the same session of ${this.#name(by.of)}`);
      this.#on.need.that(succeeded(other), 'the session does not sign any more');
      await this.#on.hold('CREDENTIAL-REVOKE-OTHER-CREDENTIAL', () => expect(answer).toBeAccepted());
    }
    await this.#on.hold('CREDENTIAL-REVOKE-COMPLETES', () => {
      if (!answer.accepted || answer.status === 202) expect(answer).toHaveHttpStatus(204);
    });
    one.alive = false;
    for (const each of this.#live())
      if (each.of === one) each.ended = 'CREDENTIAL-REVOKE-ENDS-SESSIONS';
      else each.keptBy = 'CREDENTIAL-REVOKE-KEEPS-OTHERS';
    await this.#list('CREDENTIAL-LIST-DROPS-REVOKED');
    if (!isThorough) return;
    for (const ended of this.#sessions.filter(({ of }) => of === one)) await this.#refused(ended);
    await this.#use(by);
  }

  /** The last one stays, whoever signs. */
  async #revokeAllButOne(by: KnownSession): Promise<void> {
    for (let left = this.#alive().length; left > 1; left -= 1) await this.#revoke(by, 1);
    const last = await this.#wallet.revoke(by.of.credential.id, by.session);
    this.#on.told(last.answer);
    // Where no revocation has gone through, something else than being the last one may be what it is refused for.
    const isKnown = this.#alive().length < this.#credentials.length;
    this.#on.need.that(
      isKnown || !last.answer.refused || last.answer.status === 400,
      'no revocation has gone through before',
    );
    this.#on.need.that(
      last.retries.length > 0 || last.answer.status !== 202,
      'the first call gave nothing that could be signed',
    );
    await this.#on.hold('CREDENTIAL-REVOKE-ONLY', () =>
      expect(last.answer).toBeRefused(...refusalsOfOnly(last)),
    );
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  /** The list holds exactly the credentials that the account has. @param rule of the last step */
  async #list(rule: string): Promise<void> {
    const wallet = this.#wallet;
    const expected = this.#alive()
      .map(({ credential }) => lower(credential.id))
      .sort();
    const list = this.#on.told(
      await listUntil(wallet, (seen) => isDeepStrictEqual(ownIds(seen, wallet), expected)),
    );
    this.#on.need.that(succeeded(list), 'the list could not be read');
    const foreign = ({ accountId }: { readonly accountId?: string }) =>
      accountId && lower(accountId) !== lower(wallet.accountId);
    await this.#on.hold(
      'CREDENTIAL-LIST-ONLY-ACCOUNT',
      () => expect(entriesOf(list).filter(foreign), 'entries of other accounts').toEqual([]),
      [list],
    );
    const about = { evidence: [list], assumes: ['effectSeconds'] as const };
    // Read within the checks: what is wrong with the form of the list has rules of its own.
    const ids = () => ownIds(list, wallet);
    const idsWhere = (alive: boolean) =>
      this.#credentials.filter((one) => one.alive === alive).map(({ credential }) => lower(credential.id));
    await this.#on.hold(
      rule,
      () => {
        if (rule === 'CREDENTIAL-LIST-DROPS-REVOKED')
          expect(ids().filter((id) => idsWhere(false).includes(id))).toEqual([]);
        else if (rule === 'CREDENTIAL-CREATE-LISTED') expect(ids()).toContain(idsWhere(true).at(-1));
        else expect([...new Set(ids())], 'credentials of the account').toEqual(expected);
      },
      about,
    );
    const known = [...idsWhere(true), ...idsWhere(false)];
    this.#on.need.that(
      ids().every((id) => known.includes(id)),
      'the list shows a credential that this test has not registered',
    );
    await this.#on.hold(
      'CREDENTIAL-LIST-COMPLETE',
      () => expect(ids().length, 'entries of the list').toBe(expected.length),
      about,
    );
  }
}
