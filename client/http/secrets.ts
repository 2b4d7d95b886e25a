const MASK = '••••••';
/** Shorter values would mask ordinary words. */
const SHORTEST_SECRET = 6;
/** A run of digits as short as a one-time code also stands within amounts and times: masked as a whole JSON text only. */
const ONE_TIME_CODE = /^\d{4,10}$/;
const SECRET_NAME =
  'access_?token|refresh_?token|client_?secret|device_?code|oidc_?token|id_?token|password|api_?key|\\w*private_?key|otp_?code|sms_?code|secret';
/** In JSON, also within JSON that is itself a text in JSON (`\"accessToken\":\"…\"`). */
const SECRET_KEYS = new RegExp(
  `((\\\\*)"(?:${SECRET_NAME})\\2"\\s*:\\s*)\\2"(?:(?!\\2")(?:[^\\\\]|\\\\.))*\\2"`,
  'gi',
);
const SECRET_KEY = new RegExp(`^(?:${SECRET_NAME}|code|token)$`, 'i');
const AUTHENTICATING = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i;

/**
 * Keeps secrets out of everything that is written. A value is masked wherever it occurs: raw, in base64, percent-encoded
 * or escaped in JSON; and the values of keys that always hold a secret are masked unseen.
 */
export class Secrets {
  /** What is looked for, with what stands in its place. */
  readonly #forms = new Map<string, string>();

  /** @param values secrets in clear; empty and very short ones are ignored */
  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined) continue;
      if (ONE_TIME_CODE.test(value)) {
        this.#forms.set(`"${value}"`, `"${MASK}"`);
        this.#forms.set(`\\"${value}\\"`, `\\"${MASK}\\"`);
        continue;
      }
      if (value.length < SHORTEST_SECRET) continue;
      this.#forms.set(value, MASK);
      this.#forms.set(Buffer.from(value, 'utf8').toString('base64'), MASK);
      this.#forms.set(Buffer.from(value, 'utf8').toString('base64url'), MASK);
      this.#forms.set(encodeURIComponent(value), MASK);
      this.#forms.set(JSON.stringify(value).slice(1, -1), MASK);
    }
  }

  /** A client id and its secret, which travel as one value in HTTP Basic. */
  addPair(id: string, secret: string): void {
    this.add(`${id}:${secret}`, secret);
  }

  /** Every text below a key that holds a secret by its name, at any depth. */
  addFrom(value: unknown, key = ''): void {
    if (typeof value === 'string' && SECRET_KEY.test(key)) this.add(value);
    else if (Array.isArray(value)) for (const item of value) this.addFrom(item, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) this.addFrom(inner, name);
  }

  mask(text: string): string {
    let masked = text.replace(SECRET_KEYS, `$1$2"${MASK}$2"`);
    for (const [form, instead] of this.#forms)
      if (masked.includes(form)) masked = masked.replaceAll(form, instead);
    return masked;
  }

  /** A copy of a value of plain data in which every text is masked. */
  maskDeep<T>(value: T): T {
    if (typeof value === 'string') return this.mask(value) as T;
    if (Array.isArray(value)) return value.map((item: unknown) => this.maskDeep(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.maskDeep(inner)])) as T;
  }

  /** Masks header values: whole for headers that authenticate, registered secrets elsewhere. */
  maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        AUTHENTICATING.test(name) ? value.replace(/^(\w+ )?.*$/s, `$1${MASK}`) : this.mask(value),
      ]),
    );
  }
}
