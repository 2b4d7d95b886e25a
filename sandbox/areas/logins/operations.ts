import type { Assertion } from '../../crypto/webauthn.ts';
import type { Route } from '../../server/area.ts';
import { bodyOf, type Call, ok, type Reply } from '../../server/call.ts';
import { credentialOf, readBodyAs, requireClientKey } from '../credentials/lookup.ts';
import type { Credential } from '../credentials/records.ts';
import { type SignedOperation, signedRoute } from '../signed-requests/operations.ts';

const challengeRoute = {
  method: 'POST',
  path: '/auth/credentials/:credentialId/challenge',
  auth: 'platform',
} as const;

/** Challenge and verify, for each type of credential. */
export const loginRoutes: readonly Route[] = [
  {
    ...challengeRoute,
    handle(call) {
      const { world } = call;
      const credential = credentialOf(call);
      if (credential.type === 'OAUTH') throw world.rules.refuseChallengeType(credential);
      if (credential.type === 'PASSKEY') return challengePasskey(call, credential);
      world.rules.mayChallenge(credential);
      return ok(world.rules.presentOtpChallenge(credential, world.rules.issueOtpChallenge(credential)));
    },
  },
  signedRoute({
    method: 'POST',
    path: '/auth/credentials/:credentialId/verify',
    body: 'VerifyCredentialRequest',
    isSigned: (call) => ['EMAIL_OTP', 'SMS_OTP'].includes(bodyOf(call)['type'] as string),
    prepare(call) {
      const { world } = call;
      const credential = credentialOf(call);
      world.rules.typeFits(credential, bodyOf(call)['type'] as string);
      if (credential.type === 'OAUTH') return verifyOauth(call, credential);
      return credential.type === 'PASSKEY' ? verifyPasskey(call, credential) : verifyOtp(call, credential);
    },
  }),
];

function challengePasskey(call: Call, credential: Credential): Reply {
  const { world } = call;
  readBodyAs(call, { ...challengeRoute, body: 'ChallengePasskeyRequest' });
  const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'challenge');
  world.rules.mayChallenge(credential);
  const challenge = world.rules.issuePasskeyChallenge(credential, clientPublicKey);
  return ok(world.rules.presentPasskeyChallenge(challenge));
}

async function verifyOtp(call: Call, credential: Credential): Promise<SignedOperation> {
  const { world } = call;
  const text = bodyOf(call)['encryptedOtpBundle'] as string;
  const proof = await world.rules.readOtpBundle(credential, text);
  world.rules.checkCodeEarly(proof);
  return {
    signers: {
      customerId: credential.customerId,
      accountIds: [credential.accountId],
      key: world.rules.otpSigner(proof),
    },
    type: credential.type,
    check: () => world.rules.otpIsOpen(proof),
    async complete() {
      world.rules.codeIsRight(proof);
      world.rules.useOtp(proof);
      const session = world.rules.mintSession(credential, world.rules.otpSessionKey(proof));
      return ok(await world.rules.presentOtpSession(session));
    },
  };
}

async function verifyOauth(call: Call, credential: Credential): Promise<Reply> {
  const { world } = call;
  const { oidcToken, clientPublicKey } = bodyOf(call);
  const login = {
    identity: credential.identity!,
    clientPublicKey: requireClientKey(call, clientPublicKey, 'verify'),
    now: world.clock.now(credential.customerId),
  };
  world.rules.judgeLoginToken(oidcToken as string, login);
  const minted = world.rules.mintSealedSession(credential, login.clientPublicKey);
  return ok(await world.rules.presentSealedSession(minted));
}

async function verifyPasskey(call: Call, credential: Credential): Promise<Reply> {
  const { world } = call;
  const challenge = world.rules.judgeLoginRequestId(credential, call.headers['request-id']);
  const assertion = bodyOf(call)['assertion'] as unknown as Assertion;
  const counter = await world.rules.judgeAssertion(assertion, credential.passkey!, challenge);
  world.rules.passkeyStillGood(credential, challenge, counter);
  world.rules.usePasskeyChallenge(credential, challenge, counter);
  const minted = world.rules.mintSealedSession(credential, challenge.clientPublicKey);
  return ok(await world.rules.presentSealedSession(minted));
}
