import { decodedViews, unescapedView } from './encodings.ts';
import { isSecretHeader, isSecretName, isSecretStateName, maskNamedValues } from './names.ts';
import { formsOf, Needles, SHORTEST_NEEDLE } from './needles.ts';
import { bytesOf, MASK, Spans, TextView, type View } from './view.ts';

/** Shorter values would mask ordinary words. Characters. */
const SHORTEST_SECRET = 6;
/** A code as short as this stands within all sorts of numbers: it is masked as a whole JSON text only. */
const SHORT_CODE = /^\d{4,5}$/;
const CODE = /^\d{6,10}$/;
/** The codes that every sandbox takes are documented, and stand for values of a programming language are no secrets. */
const NO_SECRETS = new Set(['000000', '123456', 'undefined', '[object Object]', MASK]);
/** Neither a word nor a placeholder: long, or letters and digits together. */
const LOOKS_MADE = /^(?=.{8})(?=.*[0-9])(?=.*[A-Za-z])|^.{20}/s;
/** A target can answer with any number of secrets. */
const MOST_OF_ONE_ANSWER = 1_000;
/** A header's scheme stays readable. */
const SCHEME = /^[A-Za-z][\w-]{0,20} /;
const IS_MASKED = new RegExp(`^(?:${SCHEME.source.slice(1)})?${MASK}$`);
/** Names below a secret name under which the secret itself stands: `deviceCode: {code}`. */
const ITSELF = new Set(['code', 'value', 'token', 'secret']);
/** What is masked is remembered for texts of so many characters … */
const LONGEST_REMEMBERED = 200;
/** … and for so many of them. */
const MOST_REMEMBERED = 2_000;
/** Deeper values are not told apart any more. */
const DEEPEST = 200;

/**
 * Keeps secrets out of everything that is written: values that were registered, in whatever form a text carries them,
 * and values below names that always hold a secret. One registry serves a whole process, so that what one test has
 * learned is masked in the next one too.
 */
export class Secrets {
  readonly #needles = new Needles();
  readonly #known = new Set<string>();
  /** Names and values of headers and fields come again in every exchange; what they are masked to holds until a secret is added. */
  readonly #masked = new Map<string, string>();

  /** @param values secrets in clear; very short ones and those that every sandbox has are ignored */
  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined || value.length < 4 || NO_SECRETS.has(value) || this.#known.has(value))
        continue;
      this.#known.add(value);
      this.#masked.clear();
      if (SHORT_CODE.test(value)) this.#needles.add(bytesOf(`"${value}"`), { margin: 1 });
      else if (CODE.test(value)) this.#needles.add(bytesOf(value), { isWord: true });
      else if (value.length >= SHORTEST_SECRET) for (const form of formsOf(value)) this.#needles.add(form);
    }
  }

  /** A secret that is no text, such as the scalar of a private key. Masked in hexadecimal digits and in base64. */
  addBytes(bytes: Uint8Array): void {
    if (bytes.length < SHORTEST_NEEDLE) return;
    this.#masked.clear();
    this.#needles.add(Buffer.from(bytes).toString('latin1'));
  }

  /** A client id and its secret, which travel as one value in HTTP Basic. */
  addPair(id: string, secret: string): void {
    this.add(`${id}:${secret}`, secret);
  }

  /** The values of a prepared state that are secret by their names, at any depth: `code` and `token` too. */
  addFromState(values: unknown): void {
    forEachValue(values, '', isSecretStateName, (secret) => this.add(secret));
  }

  /** The values of a target's answer that are secret by their names, at any depth, where they are no mere words. */
  addFrom(body: unknown): void {
    let left = MOST_OF_ONE_ANSWER;
    forEachValue(body, '', isSecretName, (secret) => {
      if (left > 0 && (LOOKS_MADE.test(secret) || CODE.test(secret))) this.add(secret);
      left -= 1;
    });
  }

  /** What authenticates in the headers of a request or an answer, so that an echo of it is masked. */
  addHeaders(headers: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined || !isSecretHeader(name)) continue;
      for (const secret of credentialsIn(name.toLowerCase(), value))
        if (LOOKS_MADE.test(secret)) this.add(secret);
    }
  }

  /**
   * The text with every secret masked. Takes time in proportion to its length, and never throws.
   *
   * @param most so many characters are masked and returned; what stands behind them tells whether they end within a
   *   secret
   */
  mask(text: string, most = text.length): string {
    if (text.length < SHORTEST_SECRET) return text.slice(0, most);
    const isShort = text.length <= LONGEST_REMEMBERED && most >= text.length;
    const known = isShort ? this.#masked.get(text) : undefined;
    if (known !== undefined) return known;
    const spans = new Spans(text);
    findSecrets(new TextView(text), this.#needles, spans);
    const masked = spans.masked(most);
    if (isShort) {
      if (this.#masked.size >= MOST_REMEMBERED) this.#masked.clear();
      this.#masked.set(text, masked);
    }
    return masked;
  }

  /** A copy of a value of plain data in which every text is masked, the names of its fields included. */
  maskDeep<T>(value: T): T {
    return this.#maskDeep(value, '', 0) as T;
  }

  /** Masks header values: whole for headers that authenticate, secrets elsewhere. */
  maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        this.mask(name),
        isSecretHeader(name) ? `${schemeOf(value)}${MASK}` : this.mask(value),
      ]),
    );
  }

  #maskDeep(value: unknown, name: string, depth: number): unknown {
    const isSecret = isSecretName(name);
    if (typeof value === 'string')
      return isSecret && value !== '' && !IS_MASKED.test(value) ? MASK : this.mask(value);
    if (typeof value === 'number') return isSecret ? MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return MASK;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#maskDeep(item, name, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        this.mask(key),
        this.#maskDeep(inner, isSecret ? name : key, depth + 1),
      ]),
    );
  }
}

/** Visits texts and numbers below a name that `isSecret`. Values may be nested however deep. */
function forEachValue(
  value: unknown,
  name: string,
  isSecret: (name: string) => boolean,
  visit: (secret: string) => void,
): void {
  const open: [unknown, boolean][] = [[value, isSecret(name)]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, secret] = next;
    if (typeof one === 'string' || typeof one === 'number') {
      if (secret) visit(String(one));
    } else if (Array.isArray(one)) for (const item of one as unknown[]) open.push([item, secret]);
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one))
        open.push([inner, isSecret(key) || (secret && ITSELF.has(key))]);
  }
}

function schemeOf(value: string): string {
  return SCHEME.exec(value)?.[0] ?? '';
}

function credentialsIn(name: string, value: string): readonly string[] {
  if (name === 'cookie' || name === 'set-cookie')
    return value.split(/[;,]/).map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const scheme = schemeOf(value);
  const credentials = value.slice(scheme.length).trim();
  return scheme.toLowerCase() === 'basic '
    ? [credentials, Buffer.from(credentials, 'base64').toString('utf8')]
    : [credentials];
}

/** How deep encodings may lie within each other: escapes eight deep, base64 or hexadecimal digits two deep. */
const DEPTH = 8;
const COST_OF_ESCAPES = 1;
const COST_OF_ENCODING = 3;

/**
 * Finds every secret in a view, and in whatever its escapes and encoded parts stand for.
 *
 * @param depth how deep encodings may still lie within each other
 */
function findSecrets(view: View, needles: Needles, spans: Spans, depth = DEPTH): void {
  maskNamedValues(view, spans);
  needles.find(view, (from, to) => spans.add(view, from, to));
  const unescaped = depth >= COST_OF_ESCAPES && unescapedView(view);
  if (unescaped) findSecrets(unescaped, needles, spans, depth - COST_OF_ESCAPES);
  if (depth >= COST_OF_ENCODING)
    for (const decoded of decodedViews(view, depth === DEPTH))
      findSecrets(decoded, needles, spans, depth - COST_OF_ENCODING);
}
