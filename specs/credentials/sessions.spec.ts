import { SealedKeyError, type KeyPair } from '../../client/crypto/index.ts';
import {
  expect,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Wallet,
} from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';
import { lower } from './support/listed.ts';
import { mustHaveId } from './support/must.ts';

/** A wallet with two sessions; the second has its id. */
async function twoSessions(given: Given, need: Need) {
  const { wallet, credential, session } = await given.signedIn();
  const second = await given.session(wallet, credential);
  const id = mustHaveId(need, second);
  for (const one of [session, second]) {
    const live = await wallet.probe(one);
    mustChallenge(need, live);
    need(live.answer).accepted();
  }
  return { wallet, session, second, id };
}

test(
  'a session is refreshed by the signed retry, and its key signs',
  verifies('SESSION-REFRESH-COMPLETES'),
  async ({ given, check, need, observe }) => {
    const { wallet, second, id } = await twoSessions(given, need);
    const clientKey = wallet.newKey();
    const refresh = await wallet.refreshSession(id, second, clientKey);
    need(refresh.first).available();
    mustChallenge(need, refresh);
    await check('SESSION-REFRESH-COMPLETES', () => expect(refresh.answer).toBeAccepted());
    need(refresh.answer).accepted();
    const old = await wallet.probe(second, {
      label: 'a wallet request signed by the old key of the refreshed session',
    });
    observe(
      'session-refresh-operation',
      { answer: refresh.answer.outcome, 'old key': old.answer.outcome },
      refresh.answer,
      old.answer,
    );

    const keys = await keysOf(need, wallet, refresh.answer, clientKey);
    const answers: Answer[] = [];
    for (const key of keys)
      answers.push(
        (await wallet.probe(key, { label: 'a wallet request signed by the refreshed session' })).answer,
      );
    const signs =
      answers.find(({ exchange }) => exchange.response?.status === 201) ??
      need.that(answers[0], 'there is no key to sign with');
    // Without a sealed key the session may go on with the client's key or with the one that it had.
    need.that(
      keys.length === 1 && keys[0] !== clientKey ? true : signs.accepted || old.answer.accepted,
      'which key the refreshed session signs with is not known',
    );
    await check('SESSION-REFRESH-COMPLETES', () =>
      expect(
        signs.accepted || (keys[0] === clientKey && old.answer.accepted),
        `signed with its key: ${signs.outcome}`,
      ).toBe(true),
    );
  },
);

test(
  'a session is revoked by the signed retry, and the others go on',
  verifies('SESSION-REVOKE-COMPLETES', 'SESSION-REVOKE-KEEPS-OTHERS'),
  async ({ given, check, need, observe }) => {
    const { wallet, session, id } = await twoSessions(given, need);
    const revocation = await wallet.revokeSession(id, session);
    need(revocation.first).available();
    mustChallenge(need, revocation);
    await check('SESSION-REVOKE-COMPLETES', () => expect(revocation.answer).toBeAccepted());
    need(revocation.answer).accepted();
    observe('session-revoke-operation', revocation.answer);
    const other = await wallet.probe(session, {
      label: 'a wallet request signed by another session after the revocation',
    });
    mustChallenge(need, other);
    await check('SESSION-REVOKE-KEEPS-OTHERS', () => expect(other.answer).toBeAccepted());
    const list = await wallet.listSessions();
    const data: unknown = list.exchange.response?.status === 200 ? list.body?.data : undefined;
    observe(
      'session-list-operation',
      Array.isArray(data)
        ? `an array, the revoked session is ${data.some((one: { id?: unknown }) => lower(one.id) === lower(id)) ? '' : 'not '}in it`
        : list.outcome,
      list,
    );
  },
);

test(
  'whether a session may end itself',
  verifies('SESSION-REVOKE-KEEPS-OTHERS'),
  async ({ given, check, need, observe }) => {
    const { wallet, session, second, id } = await twoSessions(given, need);
    const own = await wallet.revokeSession(id, second);
    need(own.first).available();
    observe('session-revoke-operation', { 'signed by itself': own.answer.outcome }, own.answer);
    const other = await wallet.probe(session, {
      label: 'a wallet request signed by another session afterwards',
    });
    mustChallenge(need, other);
    await check('SESSION-REVOKE-KEEPS-OTHERS', () => expect(other.answer).toBeAccepted());
  },
);

/** The key that a refresh sealed to the client's key; the client's own where nothing was sealed. */
async function keysOf(
  need: Need,
  wallet: Wallet,
  answer: Answer,
  clientKey: KeyPair,
): Promise<readonly KeyPair[]> {
  const sealed: unknown = answer.body?.encryptedSessionSigningKey;
  if (sealed === undefined || sealed === null) return [clientKey];
  try {
    return [await wallet.openKey(sealed, clientKey)];
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return need.that(undefined, error.message) as never;
  }
}
