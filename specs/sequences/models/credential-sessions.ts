import { tamperedAssertions, tamperedClaims } from '../../../client/crypto/index.ts';
import { chosen } from '../../../generators/steps.ts';
import { expect, succeeded, type Login, type WalletSession } from '../../../suite/index.ts';
import { ASSERTION_RULES, CLAIM_RULES, refusalsOfOnly } from '../../support/credentials.ts';
import type { CredentialModel, KnownCredential, KnownSession } from './credential-model.ts';
import { CODES, register } from './credential-registrations.ts';

export async function signIn(model: CredentialModel, one: KnownCredential | undefined): Promise<void> {
  if (!one) return;
  const login = await model.wallet.login(one.credential);
  model.on.told(login.answer);
  const session = model.on.must(login.session, login.problem ?? 'the login was refused');
  // A service may end the sessions that there are with each new one.
  for (const each of model.sessions) each.isOvertaken = true;
  model.sessions.push({
    session,
    of: one,
    ended: undefined,
    isOvertaken: false,
    keptBy: 'SESSION-ANY-CREDENTIAL',
  });
}

export async function signInMistaken(model: CredentialModel, by: KnownSession, at: number): Promise<void> {
  const hasPasskey = model.alive().some(({ credential }) => credential.type === 'PASSKEY');
  if (at % 2 === 1 && !hasPasskey && model.profile.capabilities.includes('passkey'))
    await register(model, model.wallet.draftPasskey(), by);
  const one = chosen(model.provable(), at);
  if (one?.credential.type === 'OAUTH') {
    const rows = tamperedClaims.filter(({ name }) => name in CLAIM_RULES);
    const row = chosen(rows, at) as (typeof rows)[number];
    const now = Math.floor(model.wallet.clock.now().getTime() / 1_000);
    const claims = row.make(one.credential.identity, now, model.profile.dialect.oidcNonce);
    const says = `with a token that ${row.says}`;
    return noSession(
      model,
      CLAIM_RULES[row.name] as string,
      await model.wallet.login(one.credential, {
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
  return noSession(
    model,
    ASSERTION_RULES[row.name] as string,
    await model.wallet.login(one.credential, {
      assert: (passkey, text) => row.make(passkey, text),
      verify: (of) => ({ ...of, label: `signing in ${says}` }),
    }),
  );
}

export async function signInRevoked(model: CredentialModel, by: KnownSession, what: number): Promise<void> {
  const gone = () => model.credentials.filter((one) => !one.alive && !CODES.includes(one.credential.type));
  if (gone().length === 0) {
    await register(model, await model.wallet.usualDraft(), by);
    await revoke(model, by, model.alive().filter((one) => one !== by.of).length - 1);
  }
  const one = chosen(gone(), what);
  if (!one) return;
  const login = await model.wallet.login(one.credential);
  return noSession(model, 'CREDENTIAL-REVOKE-ENDS-LOGIN', login);
}

async function noSession(model: CredentialModel, rule: string, login: Login): Promise<void> {
  model.on.told(login.answer);
  // A challenge that is given to nobody any more, or is refused, ends the login before its verify call.
  const isBegun = login.first ?? (login.challenge && !succeeded(login.challenge));
  model.on.must(isBegun, login.problem ?? 'the login ended before its verify call');
  await model.on.hold(rule, () => expect(login.answer).toBeRefused());
}

export async function use(model: CredentialModel, by: KnownSession): Promise<void> {
  const { retries, answer } = await model.probe(
    by.session,
    `a wallet request signed by a session of ${model.name(by.of)}`,
  );
  model.on.must(retries.length > 0, 'the request could not be signed');
  if (by.isOvertaken) model.on.must(succeeded(answer), 'a later login has ended the session');
  if (!succeeded(answer)) await mustSignAfresh(model, by);
  await model.on.hold(by.keptBy, () => expect(answer).toBeAccepted());
}

/** The control of a session that does not sign: a new one of its credential does. Else none ever could, whatever came between. */
async function mustSignAfresh(model: CredentialModel, { of }: KnownSession): Promise<void> {
  const { session, problem } = await model.wallet.login(of.credential);
  const fresh = model.on.must(session, problem ?? 'the login was refused');
  const { answer } = await model.probe(
    fresh,
    `a wallet request signed by a new session of ${model.name(of)}`,
  );
  model.on.must(succeeded(answer), `no session of ${model.name(of)} signs`);
}

export async function useEnded(model: CredentialModel, by: KnownSession, what: number): Promise<void> {
  const ended = () => model.sessions.filter((one) => one.ended !== undefined);
  if (ended().length === 0) {
    await signIn(model, by.of);
    const newest = model.on.must(model.signers()[0], 'no session signs');
    await endSession(model, newest, model.live().indexOf(by));
  }
  const one = chosen(ended(), what);
  if (one?.ended === undefined) return;
  return refusedBy(model, one.session, one.ended, `an ended session of ${model.name(one.of)}`);
}

export async function refusedBy(
  model: CredentialModel,
  session: WalletSession,
  rule: string,
  whose: string,
): Promise<void> {
  const { retries, answer } = await model.probe(session, `a wallet request signed by ${whose}`);
  model.on.must(
    retries.length > 0 || (answer.exchange.response?.status ?? 0) >= 400,
    'the request could not be signed',
  );
  await model.on.hold(rule, () => expect(answer).toBeRefused(401, 403));
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

export async function revoke(model: CredentialModel, by: KnownSession, what: number): Promise<void> {
  const one = chosen(
    model.alive().filter((each) => each !== by.of),
    what,
  );
  if (!one) return;
  // Sessions of it, to be ended with it: each of them, and not the newest alone.
  if (what % 2 === 0 && !CODES.includes(one.credential.type))
    for (let turn = 0; turn < 2; turn += 1) await signIn(model, one);
  const { first, challenge, answer } = await model.wallet.revoke(one.credential.id, by.session, {
    label: `revoking ${model.name(one)}`,
  });
  model.on.told(first);
  model.on.must(succeeded(first), 'the first call was refused');
  await model.on.hold('RETRY-CREDENTIAL-REVOKE', () => expect(first).toHaveHttpStatus(202));
  await model.noteNew(model.on.must(challenge, 'the 202 gives nothing that can be signed'), first);
  model.on.told(answer);
  // Refused for want of authority, it is the signer that is not taken: unless it signs all else.
  if ([401, 403].includes(answer.status)) {
    const other = await model.probe(
      by.session,
      `a wallet request signed by a session of ${model.name(by.of)}`,
    );
    model.on.must(succeeded(other.answer), 'the session does not sign any more');
    await model.on.hold('CREDENTIAL-REVOKE-OTHER-CREDENTIAL', () => expect(answer).toBeAccepted());
  }
  await model.on.hold('CREDENTIAL-REVOKE-COMPLETES', () => {
    if (!answer.accepted || answer.status === 202) expect(answer).toHaveHttpStatus(204);
  });
  one.alive = false;
  for (const each of model.live())
    if (each.of === one) each.ended = 'CREDENTIAL-REVOKE-ENDS-SESSIONS';
    else each.keptBy = 'CREDENTIAL-REVOKE-KEEPS-OTHERS';
  await model.list('CREDENTIAL-LIST-DROPS-REVOKED');
  if (what % 2 !== 0) return;
  for (const ended of model.sessions.filter((each) => each.of === one))
    await refusedBy(
      model,
      ended.session,
      'CREDENTIAL-REVOKE-ENDS-SESSIONS',
      `a session of the revoked ${model.name(one)}`,
    );
  await use(model, by);
}

export async function revokeByItself(model: CredentialModel, by: KnownSession): Promise<void> {
  if (model.alive().length < 2) return;
  const { challenge, answer } = await model.wallet.revoke(by.of.credential.id, by.session);
  model.on.told(answer);
  model.on.must(challenge, 'the 202 gives nothing that can be signed');
  await model.on.hold('CREDENTIAL-REVOKE-OWN-SESSION', () => expect(answer).toBeRefused(400, 401, 403));
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

/** The last one stays, whoever signs. */
export async function revokeAllButOne(model: CredentialModel, by: KnownSession): Promise<void> {
  for (let left = model.alive().length; left > 1; left -= 1) await revoke(model, by, 1);
  const last = await model.wallet.revoke(by.of.credential.id, by.session);
  model.on.told(last.answer);
  await model.on.hold('CREDENTIAL-REVOKE-ONLY', () =>
    expect(last.answer).toBeRefused(...refusalsOfOnly(last)),
  );
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

export async function endSession(model: CredentialModel, by: KnownSession, what: number): Promise<void> {
  const one = chosen(
    model.live().filter((each) => each !== by && each.session.id !== undefined),
    what,
  );
  if (!one) return;
  const { challenge, answer } = await model.wallet.sessions.revoke(one.session.id as string, by.session);
  // Path and body are not shown: only what asked for a signature and took it has ended the session.
  model.on.must(challenge && succeeded(model.on.told(answer)), 'this target does not end sessions');
  one.ended = 'STAMP-REVOKED-SESSION';
  for (const each of model.live()) each.keptBy = 'SESSION-REVOKE-KEEPS-OTHERS';
}
