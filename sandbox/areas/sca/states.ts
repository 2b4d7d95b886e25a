import { createECDH, randomBytes } from 'node:crypto';
import { encode } from 'cbor2';
import { newPrivateKey } from '../../crypto/keys.ts';
import { param, type State } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { steerCustomer } from '../../steering/steering.ts';
import type { World } from '../../world/world.ts';
import { prepareCustomer, type Prepared, quoteBody } from '../customers/states.ts';

const RP_ID = 'sandbox.example';

const ORIGIN = `https://${RP_ID}`;

/** Puts a customer under SCA. @returns what a test needs to prove itself */
export function addSca(world: World, { customer }: Prepared, params: JsonObject): JsonObject {
  const factor = param(params, 'factor', 'SMS_OTP');
  const availableFactors = param<readonly string[]>(params, 'availableFactors', [factor]);
  const { passkey, values } = enrolledPasskey();
  const challenges = Number(param<number | bigint>(params, 'challenges', world.behaviour.usualChallenges()));
  const { purposes, loggedIn, locked } = params;
  steerCustomer(world, customer, {
    sca: { challenges, availableFactors, purposes, loggedIn, locked, passkey },
  });
  return {
    challenges,
    ...(availableFactors.includes('SMS_OTP') ? { smsCode: world.behaviour.toldScaCode() } : {}),
    ...(availableFactors.includes('PASSKEY') ? { passkey: values } : {}),
  };
}

/** The values of a prepared customer whose quotes are paid in at once, if that is wanted. */
export function withFunding({ customer, values }: Prepared, params: JsonObject): Prepared {
  if (params['kind'] !== 'REALTIME_FUNDING') return { customer, values };
  const source = { sourceType: 'REALTIME_FUNDING', currency: values['currency'], customerId: customer.id };
  return { customer, values: { ...values, source, body: quoteBody(source, values['destination']!) } };
}

function enrolledPasskey(): { passkey: JsonObject; values: JsonObject } {
  const { scalar } = newPrivateKey();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(scalar);
  const point = ecdh.getPublicKey();
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(point.subarray(1, 33))],
    [-3, new Uint8Array(point.subarray(33))],
  ]);
  const credentialId = randomBytes(16).toString('base64url');
  const userHandle = randomBytes(16).toString('base64url');
  const publicKey = Buffer.from(encode(cose)).toString('base64url');
  return {
    passkey: { credentialId, publicKey, origin: ORIGIN, rpId: RP_ID, userHandle },
    values: { credentialId, privateKey: scalar.toString('hex'), rpId: RP_ID, origin: ORIGIN, userHandle },
  };
}

/** States that prepare this area. */
export const scaStates: readonly State[] = [
  // A customer whose sends need authorizations.
  {
    name: 'sca-customer',
    setup(world, params) {
      const prepared = withFunding(prepareCustomer(world, { contactVerification: true, ...params }), params);
      return { ...prepared.values, ...addSca(world, prepared, params) };
    },
  },
];
