import { fromBase64Url } from '../../../client/crypto/bytes.ts';
import {
  KeyPair,
  SoftwarePasskey,
  type CeremonyOptions,
  type PasskeyAssertion,
} from '../../../client/crypto/index.ts';
import type { ScaCustomerState } from '../../../target/states/types.ts';
import type { Answer, Loose } from '../../answers/answer.ts';
import type { Recorder } from '../../answers/recorder.ts';

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
interface ProofForm {
  /** The interface's spelling of an assertion, or WebAuthn's own JSON. */
  readonly assertion: 'interface' | 'webauthn';
  /** Sends the id of the challenge back, which need not be sent. */
  readonly withId: boolean;
}

const USUAL: ProofForm = { assertion: 'interface', withId: false };
/** From the most to the least usual. A code is written in one way only. */
const FORMS_OF_CODES: readonly ProofForm[] = [USUAL, { ...USUAL, withId: true }];
const FORMS_OF_ASSERTIONS: readonly ProofForm[] = [
  USUAL,
  { assertion: 'webauthn', withId: false },
  { assertion: 'interface', withId: true },
  { assertion: 'webauthn', withId: true },
];

/** How a proof is refused is not shown; any other status says something of the quote or of the account. */
const MAY_MEAN_THE_FORM: ReadonlySet<number> = new Set([400, 401, 403, 422]);

/** Forms of proofs that a target has accepted, by factor: what one customer has learned serves the next. */
const learned = new WeakMap<object, Map<unknown, ProofForm>>();

/** Proves challenges for one customer. */
export class Prover {
  readonly #code: string;
  readonly #field: string;
  readonly #passkey: SoftwarePasskey | undefined;
  readonly #learned: Map<unknown, ProofForm>;

  constructor(
    { smsCode, passkey }: Pick<ScaCustomerState, 'smsCode' | 'passkey'>,
    { dialect, contract }: Pick<Recorder, 'dialect' | 'contract'>,
  ) {
    this.#code = smsCode ?? dialect.scaProof.code;
    this.#field = dialect.scaProof.field;
    this.#passkey =
      passkey && new SoftwarePasskey({ ...passkey, key: KeyPair.fromScalar(passkey.privateKey) });
    this.#learned = learned.get(contract) ?? new Map<unknown, ProofForm>();
    learned.set(contract, this.#learned);
  }

  /**
   * A right proof, or undefined where this factor cannot be proved here.
   *
   * @param form one that this target takes unless given
   * @param tamper makes it wrong
   */
  proof(
    challenge: SeenChallenge,
    form: Partial<ProofForm> = {},
    tamper: CeremonyOptions = {},
  ): Proof | undefined {
    const { assertion, withId } = { ...(this.#learned.get(challenge.factor) ?? USUAL), ...form };
    const id = withId ? { challengeId: challenge.id, id: challenge.id } : {};
    if (challenge.factor === 'SMS_OTP') return { [this.#field]: this.#code, ...id };
    const bytes = challenge.factor === 'PASSKEY' ? challengeBytes(challenge) : undefined;
    if (!bytes || !this.#passkey) return undefined;
    const made = this.#passkey.assert(bytes, tamper);
    return {
      passkeyAssertion: assertion === 'interface' ? made : asWebAuthn(made),
      origin: tamper.origin ?? this.#passkey.origin,
      ...id,
    };
  }

  /**
   * Submits a right proof. Where the interface leaves its form open, further forms are tried as long as none was ever accepted.
   *
   * @returns the accepted answer, else the one to the most usual form; undefined where the factor cannot be proved
   */
  async submit(
    challenge: SeenChallenge,
    send: (proof: Proof) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    let first: Answer | undefined;
    const known = this.#learned.get(challenge.factor);
    const all = challenge.factor === 'PASSKEY' ? FORMS_OF_ASSERTIONS : FORMS_OF_CODES;
    for (const form of known ? [known] : all) {
      const proof = this.proof(challenge, form);
      if (!proof) return first;
      const answer = await send(proof);
      first ??= answer;
      if (!answer.exchange.response) return first;
      if (answer.accepted) {
        this.#learned.set(challenge.factor, form);
        return answer;
      }
      if (!MAY_MEAN_THE_FORM.has(answer.status)) return first;
    }
    return first;
  }
}

/** The bytes of the challenge in WebAuthn request options, which travel as base64url. */
function challengeBytes({ passkeyAssertionOptions }: SeenChallenge): Uint8Array | undefined {
  const options = passkeyAssertionOptions as Options | null | undefined;
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

function asWebAuthn({ credentialId, clientDataJson, ...rest }: PasskeyAssertion): Proof {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response: { clientDataJSON: clientDataJson, ...rest },
    clientExtensionResults: {},
  };
}
