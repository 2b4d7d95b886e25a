import { expect, test, verifies } from '../../suite/index.ts';
import { expectEndAhead } from './support/attempts.ts';
import { mustReachVerify } from './support/sign-in.ts';

for (const type of ['OAUTH', 'PASSKEY'] as const)
  test(
    `the session key of ${type} opens with the client's key and signs`,
    verifies(
      'SESSION-KEY-SEALED-TO-CLIENT',
      'SESSION-KEY-SIGNS',
      'SESSION-ANY-CREDENTIAL',
      'SESSION-EXPIRES-AT',
    ),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.login(credential);
      mustReachVerify(need, login);
      need(login.answer).accepted();
      await check('SESSION-EXPIRES-AT', () => expectEndAhead(wallet, login.answer));
      const problem = login.sealProblem?.problem;
      const sealed: unknown = login.answer.body.encryptedSessionSigningKey;
      const inClear = typeof sealed === 'string' && /^[0-9a-f]{64}$/i.test(sealed);
      // How the key is packed is not shown in the interface; that the client's key, and no other, opens it is.
      need.that(problem === undefined || problem === 'does-not-open' || inClear, login.problem ?? '');
      await check(
        'SESSION-KEY-SEALED-TO-CLIENT',
        () => {
          expect(login.answer.body.encryptedSessionSigningKey, 'a session key, sealed').toBeDefined();
          expect(login.problem, "opening the key with the client's private key").toBeUndefined();
        },
        { assumes: inClear ? [] : ['sessionKeySeal'] },
      );
      const { session } = login;
      need.that(session, login.problem ?? 'there is no session key to sign with');
      const request = await wallet.probe(session?.key ?? wallet.newKey());
      need.that(
        request.challenge,
        `the first call was answered ${request.first.outcome} without a challenge`,
      );
      const signs = await check('SESSION-KEY-SIGNS', () => expect(request.answer).toBeAccepted(), {
        assumes: ['sessionKeySeal', 'stamp'],
      });
      // A key that does not sign at all says nothing about what its credential may authorize.
      if (signs) await check('SESSION-ANY-CREDENTIAL', () => expect(request.answer).toBeAccepted());
    },
  );

test(
  'two sessions of one credential each have a key of their own',
  verifies('SESSION-KEY-SEALED-TO-CLIENT'),
  async ({ given, check, need, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const login = await wallet.login(credential);
    mustReachVerify(need, login);
    need(login.answer).accepted();
    need.that(
      login.sealProblem === undefined || login.sealProblem.problem === 'does-not-open',
      login.problem ?? '',
    );
    await check(
      'SESSION-KEY-SEALED-TO-CLIENT',
      () => expect(login.problem, "opening the key with the client's private key").toBeUndefined(),
      { evidence: [login.answer], assumes: ['sessionKeySeal'] },
    );
    const clientKey = wallet.newKey();
    const compressed = await wallet.challenge(credential, {
      body: { clientPublicKey: clientKey.compressed },
      label: 'a challenge with a compressed client key',
    });
    observe('compressed-client-key', compressed);
  },
);
