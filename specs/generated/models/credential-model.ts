import { tamperedAssertions, tamperedClaims } from '../../../client/crypto/index.ts';
import type { RetryChallenge } from '../../../client/signed-retry.ts';
import { chosen, type Step } from '../../../generators/steps.ts';
import {
  entriesOf,
  expect,
  lower,
  ownIds,
  credentialRequests,
  type Answer,
  type Credential,
  type Draft,
  type Login,
  type Profile,
  type Walk,
  type Wallet,
  type WalletRequest,
  type WalletSession,
} from '../../../suite/index.ts';
import { ASSERTION_RULES, CLAIM_RULES, refusalsOfOnly } from '../../support/credentials.ts';
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

const DUPLICATES = {
  EMAIL_OTP: ['CREDENTIAL-EMAIL-OTP-DUPLICATE', 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'],
  SMS_OTP: ['CREDENTIAL-SMS-OTP-DUPLICATE', 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS'],
  PASSKEY: ['CREDENTIAL-PASSKEY-DUPLICATE', 'PASSKEY_CREDENTIAL_ALREADY_EXISTS'],
} as const;

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

interface KnownCredential {
  readonly credential: Credential;
  readonly draft: Draft | undefined;
  alive: boolean;
}
interface KnownSession {
  readonly session: WalletSession;
  readonly of: KnownCredential;
  /** Undefined while it lives, else the rule that it signs no more. */
  ended: string | undefined;
  /** Whether something beside it has been ended since. */
  keptBy: string;
}

/** Logins by code cost a challenge each, and these are rate-limited. */
const CODES = ['EMAIL_OTP', 'SMS_OTP'];
const statusOf = (answer: Answer) => answer.exchange.response?.status ?? 0;
const isTaken = (answer: Answer) => statusOf(answer) >= 200 && statusOf(answer) < 300;

/** The credentials and sessions of one account, one step after another. */
export class CredentialModel {
  readonly #wallet: Wallet;
  readonly #on: Walk;
  readonly #foreign: WalletSession;
  readonly #profile: Profile;
  readonly #credentials: KnownCredential[] = [];
  readonly #sessions: KnownSession[] = [];
  readonly #used: { request: WalletRequest; challenge: RetryChallenge; by: WalletSession }[] = [];
  readonly #requestIds = new Set<string>();

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
    this.#wallet = wallet;
    this.#on = on;
    this.#foreign = foreign;
    this.#profile = profile;
    for (const prepared of wallet.credentials)
      if (prepared.id !== credential.id)
        this.#credentials.push({ credential: prepared, draft: undefined, alive: true });
    const known = { credential, draft: undefined, alive: true };
    this.#credentials.push(known);
    this.#sessions.push({ session, of: known, ended: undefined, keptBy: 'SESSION-ANY-CREDENTIAL' });
  }

  async take({ do: name, which, what }: Step<CredentialStep>): Promise<void> {
    const by = chosen(this.#live(), which);
    if (!by) return;
    switch (name) {
      case 'register OAUTH':
      case 'register PASSKEY':
        return this.#register(
          name === 'register PASSKEY' && this.#profile.capabilities.includes('passkey')
            ? this.#wallet.draftPasskey()
            : await this.#wallet.draftOauth(),
          by,
        );
      case 'register a code':
        return this.#registerCode(what % 2 === 0 ? 'EMAIL_OTP' : 'SMS_OTP', by);
      case 'the same once more':
        return this.#duplicate(by, what);
      case 'begin only':
        return this.#beginOnly();
      case 'mistaken retry':
        return this.#mistakenRetry(by, which * 8 + what);
      case 'other request':
        return this.#otherRequest(by);
      case 'other body':
        return this.#otherBody(by);
      case 'used requestId':
        return this.#usedAgain(what);
      case 'sign in':
        return this.#signIn(chosen(this.#provable(), what));
      case 'sign in with a mistake':
        return this.#signInMistaken(by, which * 8 + what);
      case 'sign in revoked':
        return this.#signInRevoked(by, what);
      case 'use':
        return this.#use(by);
      case 'use ended':
        return this.#useEnded(by, what);
      case 'use foreign':
        return this.#refusedBy(this.#foreign, 'STAMP-OTHER-ACCOUNT-SESSION', 'a session of another account');
      case 'revoke':
        return this.#revoke(by, what);
      case 'revoke by itself':
        return this.#revokeByItself(by);
      case 'revoke all but one':
        return this.#revokeAllButOne(by);
      case 'end session':
        return this.#endSession(by, what);
    }
  }

  #live(): KnownSession[] {
    return this.#sessions.filter(({ ended }) => ended === undefined);
  }

  #alive(): KnownCredential[] {
    return this.#credentials.filter(({ alive }) => alive);
  }

  #provable(): KnownCredential[] {
    return this.#alive().filter(({ credential }) => !CODES.includes(credential.type));
  }

  #name(one: KnownCredential): string {
    return `credential ${this.#credentials.indexOf(one) + 1} (${one.credential.type})`;
  }

  /** A request that any session of the account may sign. */
  async #anyRequest(label: string): Promise<WalletRequest & { readonly draft: Draft }> {
    const draft = await this.#wallet.usualDraft();
    return { ...credentialRequests.register(draft.body), label, draft };
  }

  async #register(draft: Draft, by: KnownSession): Promise<void> {
    const label = `registering ${draft.type}`;
    const { first, challenge, retries, answer, credential } = await this.#wallet.register(draft, by.session, {
      label,
    });
    this.#on.told(first);
    await this.#on.hold('RETRY-CREDENTIAL-CREATE', () => {
      // What the body may want beside what is known is another matter.
      if (first.accepted) expect(first).toHaveHttpStatus(202);
    });
    await this.#noteNew(this.#on.must(challenge, 'the 202 gives nothing that can be signed'), first);
    if (retries.length > 0) this.#on.told(answer);
    // A service may hold one identity of each provider: then this step leaves everything as it was.
    const holdsIdentity = this.#alive().some((one) => one.credential.type === 'OAUTH');
    if (draft.type === 'OAUTH' && holdsIdentity && !isTaken(answer)) return;
    if (CODES.includes(draft.type)) this.#on.must(isTaken(answer), 'the code was not registered');
    // Why one is refused after much has been done is for the specs that do one thing alone.
    this.#on.must(isTaken(answer), 'the credential was not registered');
    await this.#on.hold('CREDENTIAL-CREATE-ECHO', () => {
      const body = answer.body as { readonly accountId?: unknown; readonly type?: unknown };
      expect(body.type).toBe(draft.type);
      expect(lower(body.accountId)).toBe(lower(this.#wallet.accountId));
    });
    const shown = (answer.body as { readonly nickname?: unknown }).nickname;
    if (draft.type === 'PASSKEY')
      await this.#on.hold('CREDENTIAL-PASSKEY-ID-ECHO', () =>
        expect((answer.body as { readonly credentialId?: unknown }).credentialId).toBe(
          draft.passkey.credentialId,
        ),
      );
    if (draft.type === 'OAUTH')
      await this.#on.hold('CREDENTIAL-OAUTH-NICKNAME', () => expect(shown).toBe(draft.identity.email), [
        answer,
      ]);
    if (draft.type === 'PASSKEY')
      await this.#on.hold('CREDENTIAL-PASSKEY-NICKNAME', () => expect(shown).toBe(draft.body['nickname']), [
        answer,
      ]);
    this.#credentials.push({
      credential: this.#on.must(credential, 'the registered credential came without an id'),
      draft,
      alive: true,
    });
    this.#used.push({
      request: { ...credentialRequests.register(draft.body), label },
      challenge: challenge as RetryChallenge,
      by: by.session,
    });
    await this.#list('CREDENTIAL-CREATE-LISTED');
  }

  async #registerCode(type: 'EMAIL_OTP' | 'SMS_OTP', by: KnownSession): Promise<void> {
    if (!this.#alive().some(({ credential }) => credential.type === type))
      await this.#register(this.#wallet.draftCode(type), by);
    return this.#refusedAsDuplicate(this.#wallet.draftCode(type), by);
  }

  async #duplicate(by: KnownSession, what: number): Promise<void> {
    if (!this.#profile.capabilities.includes('passkey')) return;
    if (!this.#alive().some(({ draft }) => draft?.type === 'PASSKEY'))
      await this.#register(this.#wallet.draftPasskey(), by);
    const passkey = chosen(
      this.#alive().filter(({ draft }) => draft?.type === 'PASSKEY'),
      what,
    );
    if (passkey?.draft?.type !== 'PASSKEY') return;
    return this.#refusedAsDuplicate(this.#wallet.draftPasskey({ passkey: passkey.draft.passkey }), by);
  }

  async #refusedAsDuplicate(draft: Draft, by: KnownSession): Promise<void> {
    const [rule, code] = DUPLICATES[draft.type as keyof typeof DUPLICATES];
    const { answer } = await this.#wallet.register(draft, by.session, {
      label: `registering ${draft.type} a second time`,
    });
    this.#on.told(answer);
    // Refused otherwise it may be for a field that the body wants, unless such a body was registered before.
    const isControlled = this.#alive().some((one) => one.draft?.type === draft.type);
    if (CODES.includes(draft.type) && !isTaken(answer) && !isControlled)
      this.#on.must((answer.body as { code?: unknown } | undefined)?.code === code, 'refused otherwise');
    await this.#on.hold(rule, () => {
      expect(answer).toHaveHttpStatus(400);
      expect(answer).toHaveCode(code);
    });
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #beginOnly(): Promise<void> {
    const request = await this.#anyRequest('a wallet request that is only begun');
    const { first, challenge } = await this.#wallet.begin(request);
    this.#on.told(first);
    await this.#noteNew(this.#on.must(challenge, 'the 202 gives nothing that can be signed'), first);
    await this.#list('RETRY-FIRST-CALL-CHANGES-NOTHING');
  }

  /** Each first call gets a requestId of its own. */
  async #noteNew({ requestId }: RetryChallenge, first: Answer): Promise<void> {
    await this.#on.hold(
      'RETRY-REQUEST-ID-NEW',
      () => expect(this.#requestIds.has(requestId), 'the requestId was issued before').toBe(false),
      [first],
    );
    this.#requestIds.add(requestId);
  }

  async #mistakenRetry(by: KnownSession, at: number): Promise<void> {
    const mistake = chosen(RETRY_MISTAKES, at) as (typeof RETRY_MISTAKES)[number];
    const request = await this.#anyRequest(`a wallet request ${mistake.says}`);
    const { first, challenge } = await this.#wallet.begin(request);
    this.#on.told(first);
    const held = this.#on.must(challenge, 'the 202 gives nothing that can be signed');
    const tamper = mistake.tampering(this.#wallet, held.payloadToSign);
    if (!tamper) return;
    const answer = this.#on.told(await this.#wallet.retry(request, held, by.session, { tamper }));
    await this.#on.hold(mistake.rule, () => mistake.expected(answer));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #otherRequest(by: KnownSession): Promise<void> {
    const doomed = this.#alive().find((one) => one !== by.of);
    if (!doomed) return;
    const { first, challenge } = await this.#wallet.begin(
      await this.#anyRequest('a registration that is begun'),
    );
    this.#on.told(first);
    const held = this.#on.must(challenge, 'the 202 gives nothing that can be signed');
    const label = `revoking ${this.#name(doomed)} with the requestId of the registration`;
    const answer = this.#on.told(
      await this.#wallet.retry(
        { ...credentialRequests.revoke(doomed.credential.id), label },
        held,
        by.session,
      ),
    );
    await this.#on.hold('RETRY-BOUND-TO-OPERATION', () => expect(answer).toBeRefused());
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #otherBody(by: KnownSession): Promise<void> {
    const other = await this.#wallet.usualDraft();
    const request = await this.#anyRequest('a registration whose retry carries another credential');
    const { first, challenge } = await this.#wallet.begin(request);
    this.#on.told(first);
    const held = this.#on.must(challenge, 'the 202 gives nothing that can be signed');
    const answer = this.#on.told(
      await this.#wallet.retry({ ...request, body: other.body }, held, by.session),
    );
    await this.#on.hold('RETRY-SAME-BODY', () =>
      expect(answer).toBeUnauthorized('WALLET_SIGNATURE_BODY_MISMATCH'),
    );
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #usedAgain(what: number): Promise<void> {
    const used = chosen(this.#used, what);
    const signer = this.#sessions.find(({ session }) => session === used?.by);
    // A session that has ended refuses for itself.
    if (!used || signer?.ended !== undefined) return;
    const label = `${used.request.label ?? ''}, its requestId once more`;
    const answer = this.#on.told(
      await this.#wallet.retry({ ...used.request, label }, used.challenge, used.by),
    );
    this.#on.must(statusOf(answer) !== 404, 'what the retry was about is not found any more');
    await this.#on.hold('RETRY-REQUEST-ID-SINGLE-USE', () => expect(answer).toBeRefused(400, 401));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #signIn(one: KnownCredential | undefined): Promise<void> {
    if (!one) return;
    const login = await this.#wallet.login(one.credential);
    this.#on.told(login.answer);
    const session = this.#on.must(login.session, login.problem ?? 'the login was refused');
    this.#sessions.push({ session, of: one, ended: undefined, keptBy: 'SESSION-ANY-CREDENTIAL' });
  }

  async #signInMistaken(by: KnownSession, at: number): Promise<void> {
    const hasPasskey = this.#alive().some(({ credential }) => credential.type === 'PASSKEY');
    if (at % 2 === 1 && !hasPasskey && this.#profile.capabilities.includes('passkey'))
      await this.#register(this.#wallet.draftPasskey(), by);
    const one = chosen(this.#provable(), at);
    if (one?.credential.type === 'OAUTH') {
      const rows = tamperedClaims.filter(({ name }) => name in CLAIM_RULES);
      const row = chosen(rows, at) as (typeof rows)[number];
      const now = Math.floor(this.#wallet.clock.now().getTime() / 1_000);
      const claims = row.make(one.credential.identity, now, this.#profile.dialect.oidcNonce);
      const says = `with a token that ${row.says}`;
      return this.#noSession(
        CLAIM_RULES[row.name] as string,
        await this.#wallet.login(one.credential, {
          claims,
          verify: (of) => ({ ...of, label: `signing in ${says}` }),
        }),
      );
    }
    if (one?.credential.type !== 'PASSKEY') return;
    const rows = tamperedAssertions.filter(
      ({ name }) => name in ASSERTION_RULES && name !== 'challenge-decoded',
    );
    const row = chosen(rows, at) as (typeof rows)[number];
    const says = `with an assertion that ${row.says}`;
    return this.#noSession(
      ASSERTION_RULES[row.name] as string,
      await this.#wallet.login(one.credential, {
        assert: (passkey, text) => row.make(passkey, text),
        verify: (of) => ({ ...of, label: `signing in ${says}` }),
      }),
    );
  }

  async #signInRevoked(by: KnownSession, what: number): Promise<void> {
    const gone = () => this.#credentials.filter((one) => !one.alive && !CODES.includes(one.credential.type));
    if (gone().length === 0) {
      await this.#register(await this.#wallet.usualDraft(), by);
      await this.#revoke(by, this.#alive().filter((one) => one !== by.of).length - 1);
    }
    const one = chosen(gone(), what);
    if (!one) return;
    const login = await this.#wallet.login(one.credential);
    return this.#noSession('CREDENTIAL-REVOKE-ENDS-LOGIN', login);
  }

  async #noSession(rule: string, login: Login): Promise<void> {
    this.#on.told(login.answer);
    // A challenge that is given to nobody any more, or is refused, ends the login before its verify call.
    const isBegun = login.first ?? (login.challenge && !isTaken(login.challenge));
    this.#on.must(isBegun, login.problem ?? 'the login ended before its verify call');
    await this.#on.hold(rule, () => expect(login.answer).toBeRefused());
  }

  async #use(by: KnownSession): Promise<void> {
    const { retries, answer } = await this.#probe(
      by.session,
      `a wallet request signed by a session of ${this.#name(by.of)}`,
    );
    this.#on.must(retries.length > 0, 'the request could not be signed');
    await this.#on.hold(by.keptBy, () => expect(answer).toBeAccepted());
  }

  async #useEnded(by: KnownSession, what: number): Promise<void> {
    const ended = () => this.#sessions.filter((one) => one.ended !== undefined);
    if (ended().length === 0) {
      await this.#signIn(by.of);
      await this.#endSession(by, this.#live().length - 2);
    }
    const one = chosen(ended(), what);
    if (one?.ended === undefined) return;
    return this.#refusedBy(one.session, one.ended, `an ended session of ${this.#name(one.of)}`);
  }

  async #refusedBy(session: WalletSession, rule: string, whose: string): Promise<void> {
    const { retries, answer } = await this.#probe(session, `a wallet request signed by ${whose}`);
    this.#on.must(retries.length > 0 || statusOf(answer) >= 400, 'the request could not be signed');
    await this.#on.hold(rule, () => expect(answer).toBeRefused(401, 403));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  /** Registers one more credential, which tells live keys from dead ones. */
  async #probe(session: WalletSession, label: string) {
    const done = await this.#wallet.register(await this.#wallet.usualDraft(), session, { label });
    this.#on.told(done.answer);
    if (done.credential)
      this.#credentials.push({ credential: done.credential, draft: done.draft, alive: true });
    return done;
  }

  async #revoke(by: KnownSession, what: number): Promise<void> {
    const one = chosen(
      this.#alive().filter((each) => each !== by.of),
      what,
    );
    if (!one) return;
    // Sessions of it, to be ended with it: each of them, and not the newest alone.
    if (what % 2 === 0 && !CODES.includes(one.credential.type))
      for (let turn = 0; turn < 2; turn += 1) await this.#signIn(one);
    const { first, challenge, answer } = await this.#wallet.revoke(one.credential.id, by.session, {
      label: `revoking ${this.#name(one)}`,
    });
    this.#on.told(first);
    await this.#on.hold('RETRY-CREDENTIAL-REVOKE', () => {
      if (first.accepted) expect(first).toHaveHttpStatus(202);
    });
    await this.#noteNew(this.#on.must(challenge, 'the 202 gives nothing that can be signed'), first);
    this.#on.told(answer);
    // Refused for want of authority, it is the signer that is not taken: unless it signs all else.
    if ([401, 403].includes(answer.status)) {
      const other = await this.#probe(
        by.session,
        `a wallet request signed by a session of ${this.#name(by.of)}`,
      );
      this.#on.must(isTaken(other.answer), 'the session does not sign any more');
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
    if (what % 2 !== 0) return;
    for (const ended of this.#sessions.filter((each) => each.of === one))
      await this.#refusedBy(
        ended.session,
        'CREDENTIAL-REVOKE-ENDS-SESSIONS',
        `a session of the revoked ${this.#name(one)}`,
      );
    await this.#use(by);
  }

  async #revokeByItself(by: KnownSession): Promise<void> {
    if (this.#alive().length < 2) return;
    const { challenge, answer } = await this.#wallet.revoke(by.of.credential.id, by.session);
    this.#on.told(answer);
    this.#on.must(challenge, 'the 202 gives nothing that can be signed');
    await this.#on.hold('CREDENTIAL-REVOKE-OWN-SESSION', () => expect(answer).toBeRefused(400, 401, 403));
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  /** The last one stays, whoever signs. */
  async #revokeAllButOne(by: KnownSession): Promise<void> {
    for (let left = this.#alive().length; left > 1; left -= 1) await this.#revoke(by, 1);
    const last = await this.#wallet.revoke(by.of.credential.id, by.session);
    this.#on.told(last.answer);
    await this.#on.hold('CREDENTIAL-REVOKE-ONLY', () =>
      expect(last.answer).toBeRefused(...refusalsOfOnly(last)),
    );
    await this.#list('CREDENTIAL-LIST-COMPLETE');
  }

  async #endSession(by: KnownSession, what: number): Promise<void> {
    const one = chosen(
      this.#live().filter((each) => each !== by && each.session.id !== undefined),
      what,
    );
    if (!one) return;
    const { challenge, answer } = await this.#wallet.sessions.revoke(one.session.id as string, by.session);
    // Path and body are not shown: only what asked for a signature and took it has ended the session.
    this.#on.must(
      challenge && isTaken(this.#on.told(answer)),
      'this target does not end sessions at the usual path',
    );
    one.ended = 'STAMP-REVOKED-SESSION';
    for (const each of this.#live()) each.keptBy = 'SESSION-REVOKE-KEEPS-OTHERS';
  }

  /** The list holds exactly the credentials that the account has. @param rule of the last step */
  async #list(rule: string): Promise<void> {
    const list = this.#on.told(await this.#wallet.list());
    this.#on.must(isTaken(list), 'the list could not be read');
    const expected = this.#alive()
      .map(({ credential }) => lower(credential.id))
      .sort();
    await this.#on.hold(
      'CREDENTIAL-LIST-ONLY-ACCOUNT',
      () =>
        expect(
          entriesOf(list).filter(
            (entry) => entry.accountId && lower(entry.accountId) !== lower(this.#wallet.accountId),
          ),
          'entries of other accounts',
        ).toEqual([]),
      [list],
    );
    await this.#on.hold(
      rule,
      () => expect([...new Set(ownIds(list, this.#wallet))], 'credentials of the account').toEqual(expected),
      [list],
    );
    await this.#on.hold(
      'CREDENTIAL-LIST-COMPLETE',
      () => expect(ownIds(list, this.#wallet).length, 'entries of the list').toBe(expected.length),
      [list],
    );
  }
}
