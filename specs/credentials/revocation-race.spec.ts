import { expect, test, verifies, type Given, type Need, type WalletSession } from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';
import { mustRegister } from './support/must.ts';

/** Races that are run: one alone may be won by chance. */
const RACES = 3;

/** An account with two credentials, a session of each, and the first call of each one's revocation made. */
async function duel(given: Given, need: Need) {
  const { wallet, credential, session } = await given.signedIn();
  need.that(
    wallet.credentials.every(({ id }) => id === credential.id),
    'the account has more credentials than the two that are revoked',
  );
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
      const completed = answers.filter(({ exchange }) => exchange.response?.status === 204);
      need.that(completed.length > 0, 'neither of the revocations was completed');
      const kept = await check(
        'CREDENTIAL-REVOKE-RACE',
        () => expect(completed.length, 'revocations that were completed, of two credentials').toBe(1),
        answers,
      );
      if (!kept) return;
    }
  },
);
