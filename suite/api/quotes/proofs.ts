import { fromBase64Url } from '../../../client/crypto/bytes.ts';
import {
  KeyPair,
  SoftwarePasskey,
  type CeremonyOptions,
  type PasskeyAssertion,
} from '../../../client/crypto/index.ts';
import type { Dialect } from '../../../target/dialect/keys.ts';
import type { EnrolledPasskey, ScaCustomerState } from '../../../target/states/types.ts';
import type { Loose } from '../../answers/answer.ts';

/** A ScaChallenge, which a quote shows too. */
export interface ScaChallenge {
  id: string;
  expiresAt: string;
  factor: string;
  availableFactors: string[];
  purpose: string | null;
  passkeyAssertionOptions: object | null;
  passkeyAllowedOrigins: string[] | null;
}

/** A challenge as an answer shows it. */
export type SeenChallenge = Loose<ScaChallenge>;
/** A ScaAuthorization. */
export type Proof = Readonly<Record<string, unknown>>;

/** How a proof is written where the interface leaves it open. */
export interface ProofForm {
  /** The interface's spelling of an assertion, or WebAuthn's own JSON. */
  readonly assertion: 'interface' | 'webauthn';
  /** Sends the id of the challenge back, which need not be sent. */
  readonly withId: boolean;
}

/** From the most to the least usual. */
export const PROOF_FORMS: readonly ProofForm[] = [
  { assertion: 'interface', withId: false },
  { assertion: 'webauthn', withId: false },
  { assertion: 'interface', withId: true },
  { assertion: 'webauthn', withId: true },
];

/** Proves challenges for one customer. */
export class Prover {
  readonly code: string;
  readonly #field: string;
  readonly passkey: SoftwarePasskey | undefined;

  constructor(state: Pick<ScaCustomerState, 'smsCode' | 'passkey'>, { scaProof }: Pick<Dialect, 'scaProof'>) {
    this.code = state.smsCode ?? scaProof.code;
    this.#field = scaProof.field;
    this.passkey = state.passkey && passkeyOf(state.passkey);
  }

  /** A proof by the code of a text message, right or wrong. */
  byCode(code: string, more: Proof = {}): Proof {
    return { [this.#field]: code, ...more };
  }

  /** A right proof, or undefined where this factor cannot be proved here. `tamper` makes it wrong. */
  proof(
    challenge: SeenChallenge,
    form: ProofForm = PROOF_FORMS[0] as ProofForm,
    tamper: CeremonyOptions = {},
  ): Proof | undefined {
    const id = form.withId ? { challengeId: challenge.id, id: challenge.id } : {};
    if (challenge.factor === 'SMS_OTP') return this.byCode(this.code, id);
    const bytes = challenge.factor === 'PASSKEY' ? challengeBytes(challenge) : undefined;
    if (!bytes || !this.passkey) return undefined;
    const assertion = this.passkey.assert(bytes, tamper);
    return {
      passkeyAssertion: form.assertion === 'interface' ? assertion : asWebAuthn(assertion),
      origin: tamper.origin ?? this.passkey.origin,
      ...id,
    };
  }
}

/** The bytes of the challenge in WebAuthn request options, which travel as base64url. */
function challengeBytes(challenge: SeenChallenge): Uint8Array | undefined {
  const options = challenge.passkeyAssertionOptions as Options | null | undefined;
  const text = options?.challenge ?? options?.publicKey?.challenge;
  if (typeof text !== 'string') return undefined;
  try {
    return fromBase64Url(text);
  } catch {
    return undefined;
  }
}

interface Options {
  readonly challenge?: unknown;
  readonly publicKey?: { readonly challenge?: unknown };
}

function asWebAuthn({
  credentialId,
  clientDataJson,
  ...rest
}: PasskeyAssertion): Readonly<Record<string, unknown>> {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response: { clientDataJSON: clientDataJson, ...rest },
    clientExtensionResults: {},
  };
}

function passkeyOf({ credentialId, privateKey, rpId, origin, userHandle }: EnrolledPasskey): SoftwarePasskey {
  return new SoftwarePasskey({
    rpId,
    origin,
    credentialId,
    key: KeyPair.fromScalar(privateKey),
    ...(userHandle === undefined ? {} : { userHandle }),
  });
}
