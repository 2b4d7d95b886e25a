import type { SentRequest } from '../../client/http/http-client.ts';
import { MASK } from '../../client/secrets/view.ts';
import { parsedOrNothing } from '../../schemas/json.ts';

/** Shorter texts stand everywhere, and come from nowhere in particular. */
const SHORTEST = 6;
/** So many characters of a secret are some of it; two ids share fewer by chance. */
const GOOD_PART = 10;
/** A target can answer with any number of texts. */
const MOST_OF_ONE = 2_000;
const SCHEME = /^[A-Za-z][\w-]{0,20} +/;

/** By `header:<name>` or `body:<pointer>`. */
type KnownOrigins = ReadonlyMap<string, string>;

/**
 * Where the texts of a test come from: a prepared state or an earlier answer. A record masks secrets, so that afterwards
 * nobody could tell which token a request carried; with this, a request can be made again with fresh ones.
 */
export class Origins {
  readonly #of = new Map<string, string>();

  /** Learns every text of a value. @param from what it is called: `<id of the state or exchange>` */
  learn(from: string, value: unknown): void {
    let left = MOST_OF_ONE;
    const open: [string, unknown][] = [['', value]];
    for (let next = open.pop(); next && left > 0; next = open.pop()) {
      const [pointer, one] = next;
      if (typeof one === 'string') {
        left -= 1;
        if (one.length >= SHORTEST && !this.#of.has(one)) this.#of.set(one, `${from}#${pointer}`);
      } else if (typeof one === 'object' && one !== null)
        for (const [key, inner] of Object.entries(one)) open.push([`${pointer}/${key}`, inner]);
    }
  }

  /** Learns one text under a name of its own. */
  name(value: string, name: string): void {
    this.#of.set(value, name);
  }

  /** Learns the platform's credentials by their parts, to tell what a test has made of them. @param basic as they travel */
  namePlatform(basic: string): void {
    const [id = '', secret = ''] = decoded(basic).split(/:(.*)/s);
    this.name(id, 'client id');
    this.name(secret, 'client secret');
    this.name(basic.replace(SCHEME, ''), 'platform');
  }

  /** Remembers where the texts of a request come from, as far as that is known when it is sent. */
  note(request: SentRequest): KnownOrigins {
    const found = new Map<string, string>();
    for (const [where, value] of textsOf(request)) {
      const credential = value.replace(SCHEME, '');
      const origin = this.#of.get(value) ?? this.#of.get(credential) ?? this.#pair(credential);
      if (origin !== undefined) found.set(where, origin);
      else if (where.toLowerCase() === 'header:authorization') {
        const invented = this.#invented(credential);
        if (invented !== undefined) found.set(where, invented);
      }
    }
    return found;
  }

  /** HTTP Basic of a client id and secret that a state gave. */
  #pair(credential: string): string | undefined {
    const [id, secret] = decoded(credential).split(/:(.*)/s);
    if (id === undefined || secret === undefined) return undefined;
    const [first, second] = [this.#of.get(id), this.#of.get(secret)];
    return first !== undefined && second !== undefined ? `basic ${first} ${second}` : undefined;
  }

  /** Credentials that a test has made up, told so that they can be made again; nothing where that would show a secret. */
  #invented(credential: string): string | undefined {
    const inside = decoded(credential);
    const isEncoded = Buffer.from(inside, 'utf8').toString('base64') === credential;
    const told = (isEncoded ? inside.split(/(:)/) : [credential]).map((part) => this.#told(part));
    return told.includes(undefined)
      ? undefined
      : `invented ${isEncoded ? 'base64' : 'text'} ${told.join('')}`;
  }

  /** A text in which each known one stands as its name. */
  #told(text: string): string | undefined {
    const known = [...this.#of].filter(([value]) => value.length >= SHORTEST);
    for (const [value, name] of known) {
      if (value.slice(0, -1) === text) return `‹${name} but its end›`;
      if (value.toUpperCase() === text) return `‹${name} in capitals›`;
      if (value.toLowerCase() === text) return `‹${name} in small letters›`;
    }
    const inside = known.filter(([value]) => text.includes(value));
    const named = inside
      .sort(([left], [right]) => right.length - left.length)
      .reduce((told, [value, name]) => told.replaceAll(value, `‹${name}›`), text);
    const rest = named.split(/‹[^›]*›/);
    return rest.some((part) => known.some(([value]) => showsSome(part, value))) ? undefined : named;
  }
}

/** Whether a text has a good part of another one in it. */
function showsSome(text: string, secret: string): boolean {
  for (let from = 0; from + GOOD_PART <= secret.length; from += 1)
    if (text.includes(secret.slice(from, from + GOOD_PART))) return true;
  return false;
}

function decoded(basic: string): string {
  return Buffer.from(basic.replace(SCHEME, ''), 'base64').toString('utf8');
}

/**
 * Where the masked parts of a request come from.
 *
 * @param masked the request as it is recorded
 * @returns by `header:<name>` or `body:<pointer>`; `made` for a secret that the caller made itself
 */
export function originsOf(masked: SentRequest, known: KnownOrigins): Record<string, string> {
  const hidden = [...textsOf(masked)].filter(([, value]) => value.includes(MASK));
  return Object.fromEntries(hidden.map(([where]) => [where, known.get(where) ?? 'made']));
}

function* textsOf(request: SentRequest): Generator<readonly [string, string]> {
  for (const [name, value] of Object.entries(request.headers)) yield [`header:${name}`, value];
  const open: [string, unknown][] = [['', parsedOrNothing(request.body)]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [pointer, one] = next;
    if (typeof one === 'string') yield [`body:${pointer}`, one];
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) open.push([`${pointer}/${key}`, inner]);
  }
}
