/** Names whose values are secret wherever they stand, without case, underscores and hyphens. */
const SECRET = new Set(
  `accesstoken refreshtoken sessiontoken authtoken bearertoken idtoken oidctoken agenttoken apitoken csrftoken
  clientsecret secret secretkey sharedsecret signingsecret webhooksecret appsecret
  apikey accesskey signingkey sessionsigningkey sessionkey
  password passwd passphrase passcode pin cardpin cvv cvc mnemonic seedphrase recoveryphrase recoverycode
  otp otpcode smscode emailcode contactcode verificationcode confirmationcode devicecode onetimecode onetimepassword
  totp totpsecret encryptedotpbundle encryptedsessionsigningkey encryptedwalletcredentials
  authorization proxyauthorization`.split(/\s+/),
);
/** Ends of names that are secret whatever stands before. */
const SECRET_ENDS = 'privatekey accesstoken refreshtoken clientsecret password passphrase otpcode'.split(' ');
/** A state tells what a test needs, so that more of its names speak of secrets than those of an answer. */
const STATE_WORDS = new Set(
  'code secret token key password pin otp passphrase seed mnemonic authorization'.split(' '),
);
/** Words before `code`, `key` or `token` that make it a name in public use. */
const PUBLIC_WORDS = new Set(
  `public idempotency currency country postal zip status error reason swift bank branch sort routing purpose language
  region state page next cursor asset market merchant category foreign primary partition object`.split(/\s+/),
);
const AUTHENTICATING = new Set(
  'authorization proxy-authorization cookie set-cookie x-api-key api-key apikey x-auth x-csrf-token'.split(
    ' ',
  ),
);
const AUTHENTICATING_ENDS =
  '-wallet-signature -token -secret -api-key -apikey -password -otp -authorization -access-key'.split(' ');

/** Longer names are no names. Characters. */
const LONGEST_NAME = 64;
/** Names are few and come again with every exchange; a target that makes up new ones must not fill the memory. */
const MOST_REMEMBERED = 5_000;
const remembered = new Map<string, boolean>();

/** Whether the value below a key, or of a parameter, is secret by its name: `accessToken`, `otp_code`. */
export function isSecretName(name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const plain = name.replace(/[_-]/g, '').toLowerCase();
  const is = SECRET.has(plain) || SECRET_ENDS.some((end) => plain.endsWith(end));
  if (remembered.size < MOST_REMEMBERED) remembered.set(name, is);
  return is;
}

/** A seed is a secret of a wallet as a text, and a number that repeats a run otherwise. */
export function isSeed(name: string): boolean {
  return name.toLowerCase() === 'seed';
}

/** Whether a value of a prepared state is secret by its name: `code` and `token` too, `publicKey` and `currencyCode` not. */
export function isSecretStateName(name: string): boolean {
  if (isSecretName(name)) return true;
  const words = name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, index) => STATE_WORDS.has(word) && !PUBLIC_WORDS.has(words[index - 1] ?? ''));
}

/** Whether a header authenticates whoever sends it, or signs what it sends. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  if (AUTHENTICATING.has(lower)) return true;
  if (lower.startsWith('x-') && lower.endsWith('-signature')) return true;
  return AUTHENTICATING_ENDS.some((end) => lower.endsWith(end));
}
