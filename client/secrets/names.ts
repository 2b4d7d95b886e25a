import { BREAK, bytesOf, MASK, type Spans, type View } from './view.ts';

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

// ------------------------------------------------------------------------------------- what stands below such names

const MASK_BYTES = bytesOf(MASK);
/** A text that is shorter is no seed of a wallet. */
const SHORTEST_SEED = 16;

/** What stands behind a name: a field of JSON or of a parameter, with the quotes that the name has. */
const NAMED = /[:=](?<=\2([\w-]{3,64})(["']?)\s{0,64}[:=])/g;
/** A text, a list or an object from its first character on, a number, or the value of a parameter. */
const VALUES: Readonly<Record<string, RegExp>> = {
  ':': /\s*(?:["'[{]|-?\d[\d+.eE-]*)/y,
  '=': /["']|[^\s&;,#<>"'`()[\]{}\\|\0]+/y,
};
/** What a list or an object is made of. */
const PARTS = /[[\]{}"\0]|-?\d[\d+.eE-]*/g;

/** Masks what stands below a name that holds a secret, in JSON (`"otpCode": "…"`) and in parameters (`otpCode=…`). */
export function maskNamedValues(view: View, spans: Spans): void {
  const { bytes } = view;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(bytes); match; match = NAMED.exec(bytes)) {
    const { 0: sign, 1: name = '', 2: quote, index } = match;
    if (!isSecretName(name) && !isSeed(name)) continue;
    const value = VALUES[sign] as RegExp;
    value.lastIndex = index + 1;
    const plain = value.exec(bytes)?.[0].trimStart();
    if (plain === undefined) continue;
    // A mask is a text, so in place of a number it stands in quotes: the ones that the name has, however escaped.
    const quoteAt = quote ? bytes.lastIndexOf(quote, index) : undefined;
    const mask = (from: number, to: number, isNumber: boolean) => {
      if (isSeed(name) && (isNumber || to - from < SHORTEST_SEED)) return;
      if (to > from && bytes.slice(from, to) !== MASK_BYTES)
        spans.add(view, from, to, isNumber ? quoteAt : undefined);
    };
    const from = value.lastIndex - plain.length;
    NAMED.lastIndex = value.lastIndex;
    if (plain === '"' || plain === "'") {
      NAMED.lastIndex = endOfText(bytes, from);
      mask(from + 1, NAMED.lastIndex, false);
    } else if (plain === '[' || plain === '{') NAMED.lastIndex = maskAllBelow(bytes, from, mask);
    else mask(from, value.lastIndex, sign === ':');
  }
}

/** Whatever a list or an object holds is secret. @returns the index after it */
function maskAllBelow(
  bytes: string,
  open: number,
  mask: (from: number, to: number, isNumber: boolean) => void,
): number {
  let depth = 0;
  PARTS.lastIndex = open;
  for (let match = PARTS.exec(bytes); match; match = PARTS.exec(bytes)) {
    const { 0: part, index } = match;
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    else if (part === '"') {
      const end = endOfText(bytes, index);
      if (bytes[end + 1] !== ':') mask(index + 1, end, false);
      PARTS.lastIndex = bytes[end] === BREAK ? end : end + 1;
    } else if (part !== BREAK) mask(index, PARTS.lastIndex, true);
    if (depth === 0 || part === BREAK) return PARTS.lastIndex;
  }
  return bytes.length;
}

/** Index of the quote that ends a text, or of the end of the view where a cut has taken it away. */
function endOfText(bytes: string, quoteAt: number): number {
  for (let at = quoteAt + 1; at < bytes.length; at += 1) {
    if (bytes[at] === '\\') at += 1;
    else if (bytes[at] === bytes[quoteAt] || bytes[at] === BREAK) return at;
  }
  return bytes.length;
}
