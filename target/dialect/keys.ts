/** One thing that the interface does not show, and a client has to know or choose all the same. */
export interface DialectEntry<T> {
  readonly default: T;
  /** What it is for, in one or two sentences. */
  readonly meaning: string;
}

const entry = <T>(byDefault: T, meaning: string): DialectEntry<T> => ({ default: byDefault, meaning });

/**
 * The dialect: what known deployments do where the interface is silent. The suite uses it to speak; it never fails a
 * target for speaking otherwise, unless the target's profile says that it speaks so.
 */
export const DIALECT = {
  agentToken: entry(
    { header: 'authorization', value: 'Bearer {token}' },
    "How an agent's access token is sent: name of the header, and its value with {token} in it.",
  ),
  stamp: entry(
    { scheme: 'SIGNATURE_SCHEME_TK_API_P256', encoding: 'base64url' as 'base64url' | 'base64' },
    'How a wallet signature is made from the session key: name of the scheme within the stamp, and the encoding of the whole.',
  ),
  otpSeal: entry(
    { info: 'turnkey_hpke', aad: 'keys' as 'keys' | 'none' },
    'How a one-time code is sealed (HPKE): the info text, and whether both public keys are the additional data.',
  ),
  sessionKeySeal: entry(
    { info: 'turnkey_hpke', aad: 'keys' as 'keys' | 'none' },
    "How a session signing key is sealed to the client's key (HPKE), and so how it is opened.",
  ),
  emailCode: entry('000000', 'The one-time code that a sandbox takes for EMAIL_OTP.'),
  smsCode: entry(
    '000000',
    'The one-time code that a sandbox takes for SMS_OTP, where no state tells the code.',
  ),
  scaProof: entry(
    { field: 'code', code: '123456' },
    'How an SCA challenge by text message is answered: name of the field, and the code of sandboxes where no state tells one.',
  ),
  oidcToken: entry(
    {
      issuer: 'https://accounts.google.com',
      audience: 'assay.example',
      nonce: 'hex' as 'hex' | 'base64url',
    },
    'Claims of an OIDC token that the target accepts: issuer, audience, and the encoding of the SHA-256 that is the nonce.',
  ),
  passkey: entry(
    { rpId: 'localhost', origin: 'http://localhost' },
    "The relying party of the integrator's passkeys, and the origin that they are used on.",
  ),
  credentialBody: entry(
    { EMAIL_OTP: {}, SMS_OTP: {} } as Readonly<
      Record<'EMAIL_OTP' | 'SMS_OTP', Readonly<Record<string, unknown>>>
    >,
    'Further fields of the body that registers a credential of this type, beside type and accountId.',
  ),
  paths: entry(
    {} as Readonly<Record<string, string>>,
    'For an operation whose path the interface does not give (by its id in schemas/openapi.yaml): its path here.',
  ),
  bodies: entry(
    {} as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    'For an operation whose body the interface does not show: fields that replace those of the default body.',
  ),
  effectSeconds: entry(10, 'How long an effect that an answer announces may take to be seen, in seconds.'),
  eventSeconds: entry(5, 'How long an event may take to arrive, in seconds.'),
} as const;

/** Name of an entry of the dialect. */
export type DialectKey = keyof typeof DIALECT;

/** What each entry says for one target. */
export type Dialect = { readonly [K in DialectKey]: (typeof DIALECT)[K]['default'] };

/** What a check may stand on: a whole entry, or the part of it that is about one operation or one type. */
export type DialectAssumption = DialectKey | `${'paths' | 'bodies' | 'credentialBody'}.${string}`;
