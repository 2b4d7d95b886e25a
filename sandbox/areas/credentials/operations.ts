import type { Assertion } from '../../crypto/webauthn.ts';
import {
  bodyOf,
  type Call,
  created,
  noContent,
  ok,
  operation,
  type Reply,
  type Route,
} from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import { type InternalAccount, internalAccounts } from '../accounts/records.ts';
import { ownedByCustomer } from '../conventions/operations.ts';
import {
  CHALLENGE_LIFE,
  type Credential,
  credentials,
  openLoginChallenges,
  otpIsSpent,
  type PasskeyChallenge,
  passkeyChallenges,
  type Session,
  sessions,
} from './records.ts';
import type { KeyUse, Minted } from './session-behaviour.ts';
import { type SignedOperation, signedRoute } from './signed-operation.ts';
import { changeStatus } from '../../world/table.ts';

/** Registering, listing and revoking credentials. */
export const credentialRoutes: readonly Route[] = [
  signedRoute({
    ...operation('POST /auth/credentials'),
    body: 'CreateCredentialRequest',
    async prepare(world, call) {
      const body = bodyOf(call);
      const account = accountOf(call, body['accountId'] as string);
      const kind = await world.behaviour.readRegistration(account, body);
      const register = () => {
        const credential = world.behaviour.registerCredential(account, kind);
        return created(world.behaviour.presentCredential(credential));
      };
      const check = () => world.behaviour.credentialIsNew(account, kind);
      if (world.behaviour.needsNoSignature(account, kind)) {
        check();
        return register();
      }
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        type: kind.type,
        check,
        complete: register,
      };
    },
  }),
  {
    ...operation('GET /auth/credentials'),
    handle(world, call) {
      const all = world.behaviour.orderList(world.behaviour.listedCredentials(accountOfQuery(call)));
      // One page, whatever its length.
      return ok({ data: all.map((credential) => world.behaviour.presentCredential(credential)) });
    },
  },
  signedRoute({
    ...operation('DELETE /auth/credentials/:credentialId'),
    prepare(world, call) {
      const credential = credentialOf(call);
      return {
        signers: {
          customerId: credential.customerId,
          accountIds: [credential.accountId],
          exceptCredential: credential.id,
        },
        type: credential.type,
        check(isRetry) {
          const { isNotOnlyCredential, checkRevocationEarly } = world.behaviour;
          if (credential.status !== 'ACTIVE')
            throw world.behaviour.refuseNotFound('AuthMethod', credential.id);
          (isRetry ? isNotOnlyCredential : checkRevocationEarly)(credential);
        },
        complete() {
          world.behaviour.revokeCredential(credential);
          return noContent();
        },
      };
    },
  }),
];

const challengeRoute = operation('POST /auth/credentials/:credentialId/challenge');

/** Challenge and verify, for each type of credential. */
export const loginRoutes: readonly Route[] = [
  {
    ...challengeRoute,
    handle(world, call) {
      const credential = credentialOf(call);
      if (credential.type === 'OAUTH')
        throw world.behaviour.refuseField('id', 'is an OAUTH credential, which takes no challenge');
      if (credential.type === 'PASSKEY') return challengePasskey(call, credential);
      world.behaviour.mayChallenge(credential);
      return ok(
        world.behaviour.presentOtpChallenge(credential, world.behaviour.issueOtpChallenge(credential)),
      );
    },
  },
  signedRoute({
    ...operation('POST /auth/credentials/:credentialId/verify'),
    body: 'VerifyCredentialRequest',
    isSigned: (call) => ['EMAIL_OTP', 'SMS_OTP'].includes(bodyOf(call)['type'] as string),
    prepare(world, call) {
      const credential = credentialOf(call);
      world.behaviour.typeFits(credential, bodyOf(call)['type'] as string);
      if (credential.type === 'OAUTH') return verifyOauth(call, credential);
      return credential.type === 'PASSKEY' ? verifyPasskey(call, credential) : verifyOtp(call, credential);
    },
  }),
];

function challengePasskey(call: Call, credential: Credential): Reply {
  const { world } = call;
  readBodyAs(call, { ...challengeRoute, body: 'ChallengePasskeyRequest' });
  const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'challenge');
  world.behaviour.mayChallenge(credential);
  const challenge = issuePasskeyChallenge(world, credential, clientPublicKey);
  return ok(world.behaviour.presentPasskeyChallenge(challenge));
}

async function verifyOtp(call: Call, credential: Credential): Promise<SignedOperation> {
  const { world } = call;
  const text = bodyOf(call)['encryptedOtpBundle'] as string;
  const proof = await world.behaviour.readOtpBundle(credential, text);
  world.behaviour.checkCodeEarly(proof);
  return {
    signers: {
      customerId: credential.customerId,
      accountIds: [credential.accountId],
      key: proof.publicKey,
    },
    type: credential.type,
    check() {
      if (otpIsSpent(proof.challenge)) throw world.behaviour.refuseProof('The code has been used.');
    },
    complete() {
      world.behaviour.codeIsRight(proof);
      // That a code logs in once is not said; that the request which carries it is single-use is.
      changeStatus(world, CHALLENGE_LIFE, proof.challenge, 'USED');
      const session = world.behaviour.mintSession(credential, world.behaviour.otpSessionKey(proof));
      // The client's own key signs, so none is sent.
      return ok(world.behaviour.presentSession(session));
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
  world.behaviour.judgeLoginToken(oidcToken as string, login);
  const minted = world.behaviour.mintSealedSession(credential, login.clientPublicKey);
  return ok(await presentMinted(world, minted));
}

async function verifyPasskey(call: Call, credential: Credential): Promise<Reply> {
  const { world } = call;
  const challenge = world.behaviour.judgeLoginRequestId(credential, call.headers['request-id']);
  const assertion = bodyOf(call)['assertion'] as unknown as Assertion;
  const counter = await world.behaviour.judgeAssertion(assertion, credential.passkey!, challenge);
  world.behaviour.passkeyStillGood(credential, challenge, counter);
  usePasskeyChallenge(world, credential, challenge, counter);
  const minted = world.behaviour.mintSealedSession(credential, challenge.clientPublicKey);
  return ok(await presentMinted(world, minted));
}

/** The account of this id. @throws Refusal 404 */
export function accountOf(call: Call, id: string): InternalAccount {
  return ownedByCustomer(call, internalAccounts, 'InternalAccount', id);
}

/** The account that a list is asked for. @throws Refusal 400 without accountId, 404 */
export function accountOfQuery(call: Call): InternalAccount {
  const id = call.query['accountId'];
  if (id === undefined) throw call.world.behaviour.refuseField('accountId', 'is required in the query');
  return accountOf(call, id);
}

/** The credential in the path; a revoked one is not there any more. @throws Refusal 404 */
function credentialOf(call: Call): Credential {
  const credential = ownedByCustomer(call, credentials, 'AuthMethod', call.params['credentialId']!);
  if (credential.status === 'ACTIVE') return credential;
  throw call.world.behaviour.refuseNotFound('AuthMethod', credential.id);
}

/** The session in the path; a revoked one is not there any more. @throws Refusal 404 */
export function sessionOf(call: Call): Session {
  const { world } = call;
  const session = ownedByCustomer(call, sessions, 'Session', call.params['sessionId']!);
  if (world.behaviour.sessionIsRevoked(session)) throw world.behaviour.refuseNotFound('Session', session.id);
  return session;
}

/** @throws Refusal 400 when the key is no point of P-256 in hex */
export function requireClientKey(call: Call, key: unknown, use: KeyUse): string {
  if (call.world.behaviour.clientKeyFits(key, use)) return key as string;
  throw call.world.behaviour.refuseClientKey();
}

/** A body that the route takes for some records only. @throws Refusal */
function readBodyAs(call: Call, route: Omit<Route, 'handle'>): void {
  call.body = call.world.behaviour.readBody(call, { ...route, handle: () => ({ status: 500 }) });
}

/** @param clientPublicKey hex, as the client sent it */
function issuePasskeyChallenge(
  world: World,
  credential: Credential,
  clientPublicKey: string,
): PasskeyChallenge {
  const challenge: PasskeyChallenge = {
    id: mintId(world, 'Request'),
    customerId: credential.customerId,
    status: 'OPEN',
    credentialId: credential.id,
    challenge: world.behaviour.newPasskeyChallenge(credential),
    clientPublicKey,
    expiresAt: world.clock.now(credential.customerId) + world.behaviour.challengeLifetime(),
  };
  openLoginChallenges.add(world, challenge);
  return passkeyChallenges.put(world, challenge.id, challenge);
}

/** The counter is kept, for WebAuthn tells a copied passkey by a counter that does not grow. */
function usePasskeyChallenge(
  world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
  counter: number,
): void {
  changeStatus(world, CHALLENGE_LIFE, challenge, 'USED');
  credential.passkey!.counter = counter;
}

/** A new session, with its sealed key where there is one. */
export async function presentMinted(world: World, { session, sealedKey }: Minted): Promise<JsonObject> {
  return { ...world.behaviour.presentSession(session), encryptedSessionSigningKey: await sealedKey };
}
