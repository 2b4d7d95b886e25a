/** One thing that the interface does not show, and a client has to know or choose all the same. */
export interface DialectEntry<T> {
  readonly default: T;
  /** What it is for, in one or two sentences. */
  readonly meaning: string;
  /** Where the interface is silent about it: the section, and what it says instead where it says something. */
  readonly silent: string;
  /** True where one success shows nothing about the next: only the profile can tell. */
  readonly onlyTold?: true;
}

const entry = <T>(
  byDefault: T,
  meaning: string,
  silent: string,
  more: { readonly onlyTold?: true } = {},
): DialectEntry<T> => ({ default: byDefault, meaning, silent, ...more });

/** How something is sealed (HPKE), beside what RFC 9180 fixes. */
interface Seal {
  readonly info: string;
  readonly aad: 'keys' | 'none';
}
type Fields = Readonly<Record<string, unknown>>;

const SEAL: Seal = { info: 'turnkey_hpke', aad: 'keys' };

/**
 * The dialect: what known deployments do where the interface is silent. The suite uses it to speak; it never fails a
 * target for speaking otherwise, unless the target's profile says that it speaks so.
 */
export const DIALECT = {
  agentToken: entry(
    { header: 'authorization', value: 'Bearer {token}' },
    "How an agent's access token is sent: name of the header, and its value with {token} in it.",
    'Authentication: the HTTP header format of AgentAuth is not shown',
  ),
  stamp: entry(
    { scheme: 'SIGNATURE_SCHEME_TK_API_P256', encoding: 'base64url' as 'base64url' | 'base64' },
    'How a wallet signature is made from the session key: name of the scheme within the stamp, and the encoding of the whole.',
    'Authentication: the construction of the wallet signature value from the session key is not shown',
  ),
  otpSeal: entry(
    SEAL,
    'How a one-time code is sealed (HPKE): the info text, and whether both public keys are the additional data.',
    'Credential operations, Credential flows 1: the suite, the info and the additional data are not given',
  ),
  sessionKeySeal: entry(
    SEAL,
    "How a session signing key is sealed to the client's key (HPKE), and so how it is opened.",
    "Credential and session objects, AuthSession: “encrypted to the client's public key”, and no more",
  ),
  smsCode: entry(
    '000000',
    'The one-time code that a sandbox takes for SMS_OTP, where no state tells the code.',
    'Authentication 8 gives a code for EMAIL_OTP alone',
  ),
  scaProof: entry(
    { field: 'code', code: '123456' },
    'How an SCA challenge by text message is answered: name of the field, and the code of sandboxes where no state tells one.',
    'Resources: fields of ScaAuthorization other than passkeyAssertion and origin are not shown',
  ),
  oidcToken: entry(
    { issuer: 'https://accounts.google.com', audience: 'assay.example' },
    'Claims of an OIDC token that the target accepts: issuer and audience.',
    'Authentication 7: they must match, and what the target knows is not said',
  ),
  oidcNonce: entry(
    'hex' as 'hex' | 'base64url',
    'Encoding of the SHA-256 that is the nonce of an OIDC token at verify.',
    'Authentication 8: “nonce equal to the SHA-256 of clientPublicKey”, without an encoding',
  ),
  passkey: entry(
    { rpId: 'localhost', origin: 'http://localhost' },
    "The relying party of the integrator's passkeys, and the origin that they are used on.",
    "Authentication 9: bound to the integrator's domain, which nobody but the target knows",
  ),
  credentialBody: entry(
    { EMAIL_OTP: {}, SMS_OTP: {} } as Readonly<Record<'EMAIL_OTP' | 'SMS_OTP', Fields>>,
    'Further fields of the body that registers a credential of this type, beside type and accountId.',
    'Credential operations, create bodies: the rest of the body is not shown',
  ),
  paths: entry(
    {} as Readonly<Record<string, string>>,
    'Paths of operations, by the operationId of schemas/openapi.yaml, getTransaction, getExternalAccount or getCustomer. Names in braces stay; a method may stand before the path.',
    'Endpoints: the complete endpoint list is not shown, nor the paths of several operations that are named',
  ),
  bodies: entry(
    {} as Readonly<Record<string, Fields>>,
    'Bodies that the interface does not show, by operationId. These fields replace those of the default body, and fill up a body that a state gives.',
    'Endpoints: request and response shapes of most operations are not shown',
  ),
  effectSeconds: entry(
    10,
    'How long an effect that an answer announces may take to be seen, in seconds.',
    'States and transitions: no time is named',
    { onlyTold: true },
  ),
  eventSeconds: entry(
    5,
    'How long an event may take to arrive, in seconds.',
    'Events: delivery rules are not shown',
    { onlyTold: true },
  ),
} as const;

/** Name of an entry of the dialect. */
export type DialectKey = keyof typeof DIALECT;

/** What each entry says for one target. */
export type Dialect = { readonly [K in DialectKey]: (typeof DIALECT)[K]['default'] };

/** What a check may stand on: a whole entry, or the part of it that is about one operation or one type. */
export type DialectAssumption = DialectKey | `${'paths' | 'bodies' | 'credentialBody'}.${string}`;

/** Entries that hold one part for each operation or type: each part is known or unknown by itself. */
export const DIVIDED = ['credentialBody', 'paths', 'bodies'] as const satisfies readonly DialectKey[];

/**
 * Reads that the interface names nowhere and deployments have: their usual paths, by a name that `dialect.paths` of a
 * profile can give another path. Where a target has none, what can be read there alone is not verified.
 */
export const GUESSED_READS: Readonly<Record<string, string>> = {
  getTransaction: '/transactions/{transactionId}',
  getExternalAccount: '/customers/external-accounts/{id}',
  getCustomer: '/customers/{customerId}',
};
