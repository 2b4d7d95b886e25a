import { parse, stringify } from 'lossless-json';

const MASKED = /•{3,}/;
/** A body that a record has cut. */
const CUT = /… \(\d+ characters\)$/;
const HOLDS_A_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Words stand everywhere; what was made for one run has a digit, or the form of an id. */
const MADE_FOR_A_RUN = /^(?=.*\d)[\w.:+/=@-]{8,}$/;
/** Made anew for each challenge, with a key that no record keeps. */
const SIGNED = /"(?:clientDataJSON|signature)"\s*:/i;
/** Lists have another order the next time. */
const IN_A_LIST = /\/\d+(?:\/|⟧)/;
const SCHEME = /^[A-Za-z][\w-]{0,20} +/;

/** The request holds a secret that nobody but its test could make. */
export class UnknownSecret extends Error {}

/**
 * Turns recorded requests into templates: whatever an earlier state or answer gave becomes a reference to it, `⟦id#pointer⟧`,
 * so that a second time takes what that second time gives.
 */
export class Template {
  readonly #origins = new Map<string, string>();
  readonly #fresh = new Map<string, string>();
  #usesPlatform = false;

  /** Whether anything needs the platform's credentials. */
  get usesPlatform(): boolean {
    return this.#usesPlatform;
  }

  /** Learns the texts that a state or an answer gave. The first to give one is believed. */
  learn(id: string, value: unknown, pointer = ''): void {
    if (typeof value === 'string') {
      const isPlainTime = isTime(value) && !/version$/i.test(pointer);
      if (MADE_FOR_A_RUN.test(value) && !isPlainTime && !this.#origins.has(value))
        this.#origins.set(value, `⟦${id}#${pointer}⟧`);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) this.learn(id, inner, `${pointer}/${key}`);
  }

  /** A value that was seen, with references in the place of what one earlier step alone gave. */
  related<T>(value: T): T {
    if (typeof value === 'string') {
      const origin = HOLDS_A_UUID.test(value) ? this.#origins.get(value) : undefined;
      return (origin === undefined || IN_A_LIST.test(origin) ? value : origin) as T;
    }
    if (Array.isArray(value)) return value.map((one: unknown) => this.related(one)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.related(inner)])) as T;
  }

  /** @throws UnknownSecret where a part is hidden and its origin unknown */
  text(recorded: string): string {
    if (MASKED.test(recorded)) throw new UnknownSecret('its address holds a secret of the test’s own.');
    return this.#refer(recorded);
  }

  /** @param origin where the hidden part came from, if it is known */
  header(name: string, recorded: string, origin: string | undefined): string {
    if (MASKED.test(recorded)) return this.#hidden(name, recorded, origin);
    if (name.toLowerCase() === 'idempotency-key' && UUID.test(recorded) && !this.#origins.has(recorded))
      return this.#freshFor(recorded);
    return this.#refer(recorded);
  }

  /** @param origins where hidden parts came from */
  body(recorded: string, origins: Readonly<Record<string, string>>): string {
    if (CUT.test(recorded)) throw new UnknownSecret('a body is too long to be kept whole.');
    if (SIGNED.test(recorded))
      throw new UnknownSecret(
        'a body is signed with a key of the test’s own, over what the target gives anew.',
      );
    if (!MASKED.test(recorded)) return this.#refer(recorded);
    let value: unknown;
    try {
      value = parse(recorded);
    } catch {
      throw new UnknownSecret('a body that is no JSON holds a secret.');
    }
    for (const [where, origin] of Object.entries(origins)) {
      if (!where.startsWith('body:')) continue;
      const pointer = where.slice('body:'.length);
      if (origin === 'made' || !origin.includes('#'))
        throw new UnknownSecret(
          `${pointer} of a request is made with a key or a code of the test’s own, which no record keeps.`,
        );
      setAt(value, pointer, `⟦${origin}⟧`);
    }
    const text = stringify(value) ?? recorded;
    if (MASKED.test(text)) throw new UnknownSecret('a body holds a secret of unknown origin.');
    return this.#refer(text);
  }

  #hidden(name: string, recorded: string, origin = 'made'): string {
    const scheme = SCHEME.exec(recorded)?.[0] ?? '';
    if (origin === 'platform') {
      this.#usesPlatform = true;
      return `${scheme}⟦platform⟧`;
    }
    if (origin.startsWith('invented ')) {
      this.#usesPlatform ||= origin.includes('‹client ');
      return `${scheme}⟦${origin}⟧`;
    }
    if (origin.startsWith('basic ')) return `${scheme}⟦${origin}⟧`;
    if (origin !== 'made') return `${scheme}⟦${origin}⟧`;
    if (name.toLowerCase() === 'authorization')
      throw new UnknownSecret('its requests carry credentials of unknown origin, which no record keeps.');
    throw new UnknownSecret(`its requests are signed with a key of the test’s own (${name}).`);
  }

  #freshFor(recorded: string): string {
    const known = this.#fresh.get(recorded);
    if (known !== undefined) return known;
    const fresh = `⟦fresh ${this.#fresh.size + 1}⟧`;
    this.#fresh.set(recorded, fresh);
    return fresh;
  }

  /** Longest first: an id may hold another. */
  #refer(text: string): string {
    const found = [...this.#origins.keys()].filter((value) => text.includes(value));
    let result = text;
    for (const value of found.sort((left, right) => right.length - left.length))
      result = result
        .split(/(⟦[^⟧]*⟧)/)
        .map((part) =>
          part.startsWith('⟦') ? part : part.replaceAll(value, this.#origins.get(value) as string),
        )
        .join('');
    return result;
  }
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T|$)/.test(text);
}

function setAt(value: unknown, pointer: string, text: string): void {
  const path = pointer.split('/').slice(1);
  const last = path.pop();
  let node = value as Record<string, unknown> | undefined;
  for (const key of path) node = node?.[key] as Record<string, unknown> | undefined;
  if (node && last !== undefined) node[last] = text;
}
