import { expect, test, verifies, type Given, type Need, type WalletSession } from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';
import { idsOf, listOf } from './support/listed.ts';
import { mustRegister } from './support/must.ts';

/** Races that are run: one alone may be won by chance. */
const RACES = 3;

/** An account with two credentials, a session of each, and the first call of each one's revocation made. */
async function duel(given: Given, need: Need) {
  const { wallet, credential, session } = await given.signedIn();
  const second = mustRegister(
    need,
    await wallet.probe(session, { label: 'registering a second credential' }),
  );
  const secondSession = await given.session(wallet, second);
  const begin = async (id: string, by: WalletSession) => ({
    request: request(id),
    challenge: mustChallenge(need, await wallet.revoke(id, by, { times: 0 })),
    by,
  });
  const revocations = [await begin(credential.id, secondSession), await begin(second.id, session)];
  return { wallet, revocations };
}

const request = (id: string) => ({
  operation: 'revokeCredential',
  label: 'revoking one of the last two credentials',
  path: { id },
});

test(
  'of two revocations that are completed at once one credential remains',
  verifies('CREDENTIAL-REVOKE-RACE'),
  async ({ given, check, need }) => {
    for (let race = 0; race < RACES; race += 1) {
      const { wallet, revocations } = await duel(given, need);
      const answers = await Promise.all(
        revocations.map((one) => wallet.retry(one.request, one.challenge, one.by)),
      );
      const list = await listOf(wallet, 'listing after both revocations');
      need(list).accepted();
      need.that(
        answers.some(({ exchange }) => exchange.response?.status === 204),
        'neither of the revocations was completed',
      );
      const kept = await check(
        'CREDENTIAL-REVOKE-RACE',
        () => expect(idsOf(list).length, 'credentials that remain').toBeGreaterThan(0),
        answers,
      );
      if (!kept) return;
    }
  },
);
