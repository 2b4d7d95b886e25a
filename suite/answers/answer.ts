import { parse as parseExactly, isLosslessNumber } from 'lossless-json';
import type { Exchange } from '../../client/http/http-client.ts';
import type { Operation } from '../../schemas/contract.ts';
import { troubleIn, type Trouble } from '../../doubt/answer.ts';
import { insideCheck, noteRead, Unanswered } from '../../doubt/check.ts';

/** A shape breach with the rule that it is blamed on. */
export interface Breach {
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
}

/** Every property optional, at every depth: what a target sends may lack anything. */
export type Loose<T> = T extends (infer E)[]
  ? Loose<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> }
    : T;

/** What an answer is built with beside its exchange. */
interface AnswerContext {
  /** The operation of the contract that answered. */
  readonly operation?: Operation | undefined;
  /** Takes a fault of the service, met by a request that obeys. */
  readonly onFault?: (answer: Answer) => void;
  /** The call is about a limit on requests: its 429 is the answer. */
  readonly impatient?: boolean | undefined;
  /** The target may limit how often this operation is called (section Limits): its 429 is its own. */
  readonly isLimited?: boolean;
  /** What the target sent by itself, such as an event: nothing in between can have made it up. */
  readonly arrived?: boolean;
  /** Why the body can be read in two ways, if it can. */
  readonly ambiguous?: string | undefined;
  /** Ends the test as inconclusive; called where an answer that never came is read outside of a check. */
  readonly stop?: (reason: string) => never;
}

/** Longest part of what an answer says that a sentence repeats, in characters. */
const MOST_TOLD = 160;

/** A number of JSON: sign, whole part, fraction, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** More than any amount has: a greater exponent is not written out. */
const MOST_DIGITS = 40;

/**
 * What came back on a request. Reading it inside a check counts as an observation, and is evidence in the report.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a target may send anything; specs name the component where it helps
export class Answer<T = any> {
  /** Id of the recorded exchange. */
  readonly id: string;
  readonly exchange: Exchange;
  readonly label: string;
  /** Breaches of the answer's own shape, already blamed. */
  readonly breaches: readonly Breach[];
  /** What went wrong on the way or with the target for a moment, if anything did. */
  readonly trouble: Trouble | undefined;
  readonly #parsed: unknown;
  readonly #context: AnswerContext;

  constructor(
    id: string,
    label: string,
    exchange: Exchange,
    parsed: unknown,
    breaches: readonly Breach[],
    context: AnswerContext = {},
  ) {
    this.id = id;
    this.label = label;
    this.exchange = exchange;
    this.breaches = breaches;
    this.#parsed = parsed;
    this.#context = context;
    this.trouble = context.arrived ? undefined : (troubleIn(exchange, parsed, context) ?? ambiguity(context));
  }

  /** HTTP status. @throws Unanswered */
  get status(): number {
    noteRead(this);
    return this.#response.status;
  }

  /** The parsed body; undefined when it is empty or not JSON. @throws Unanswered */
  get body(): Loose<T> {
    noteRead(this);
    void this.#response;
    // Where there is no object to read from, whatever is asked for stands on the body as a whole.
    if (typeof this.#parsed !== 'object' || this.#parsed === null) {
      noteRead(this, '');
      noteRead(this, '#body');
    }
    return tracked(this.#parsed, (pointer) => noteRead(this, pointer)) as Loose<T>;
  }

  /** Exact text of the body. @throws Unanswered */
  get text(): string {
    noteRead(this);
    return this.#response.text;
  }

  /** One header by its name, or undefined. @throws Unanswered */
  header(name: string): string | undefined {
    noteRead(this);
    return this.#response.headers[name.toLowerCase()];
  }

  /** True for 2xx. @throws Unanswered */
  get accepted(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** True for 4xx. @throws Unanswered */
  get refused(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** The error code of the body, where it is a text. @throws Unanswered */
  get code(): string | undefined {
    const code = (this.body as { code?: unknown } | undefined)?.code;
    return typeof code === 'string' ? code : undefined;
  }

  /**
   * The digits of an integer in the body, beyond the precision of a double too, and however JSON writes it: `1000.0` and `1e3`
   * are 1000. A number that is none stays as it was sent. @throws Unanswered
   */
  digits(...path: readonly string[]): string | undefined {
    noteRead(this, `/${path.join('/')}`);
    let node: unknown;
    try {
      node = parseExactly(this.#response.text);
    } catch {
      return undefined;
    }
    for (const key of path)
      node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined;
    return isLosslessNumber(node) ? integerDigits(node.toString()) : undefined;
  }

  /** No answer, or one that a gateway gives: a failing check on it accuses nobody. */
  get cameFromBetween(): boolean {
    return this.trouble?.mayAccuse === false;
  }

  /** A fault inside the service: a 5xx that nothing in between gives. Reading it is not an observation. */
  get isFault(): boolean {
    return this.trouble?.mayAccuse === true && (this.exchange.response?.status ?? 0) >= 500;
  }

  /** Says that the request obeys, so that a fault of the service breaks the rule that it is answered. */
  tellFault(): void {
    if (this.isFault) this.#context.onFault?.(this);
  }

  /** The operation of the contract that answered, where it has it. */
  get operation(): Operation | undefined {
    return this.#context.operation;
  }

  /** Status, or the failure, for messages. Reading it is not an observation. */
  get outcome(): string {
    return this.exchange.response
      ? `${this.exchange.response.status}`
      : `no answer (${this.exchange.failure})`;
  }

  /** The outcome with what the answer says of it: `400 INVALID_INPUT: …`. Reading it is not an observation. */
  get told(): string {
    const { code, message } = (this.#parsed ?? {}) as { code?: unknown; message?: unknown };
    const said = [code, message].filter((text) => typeof text === 'string' && text !== '').join(': ');
    return said === '' ? this.outcome : `${this.outcome} ${said.replace(/\s+/g, ' ').slice(0, MOST_TOLD)}`;
  }

  get #response() {
    const { response, failure } = this.exchange;
    if (response) return response;
    const reason = `"${this.label}" got no answer: ${failure}`;
    if (this.#context.stop && !insideCheck()) return this.#context.stop(reason);
    throw new Unanswered(reason);
  }
}

function ambiguity({ ambiguous }: AnswerContext): Trouble | undefined {
  return ambiguous === undefined
    ? undefined
    : { what: `with a body that ${ambiguous}`, mayAccuse: false, momentary: false };
}

/** Whether a call came back with a 2xx. Unlike `answer.accepted` it counts as no look at the answer, and never throws. */
export function succeeded({ exchange }: Answer): boolean {
  const status = exchange.response?.status ?? 0;
  return status >= 200 && status < 300;
}

function integerDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point < 1 || point > MOST_DIGITS || /[1-9]/.test(digits.slice(point))) return text;
  return `${sign}${BigInt(digits.slice(0, point).padEnd(point, '0'))}`;
}

/**
 * A read-only view of a JSON value that reports every property that is read, as a JSON pointer. It lets a failing check
 * say which part of an answer it stands on, so that a breach of shape there is not accused a second time.
 */
export function tracked<T>(value: T, onRead: (pointer: string) => void, pointer = ''): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value as object, {
    get(target, key, receiver) {
      const inner: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof inner === 'function') return inner;
      const path = `${pointer}/${key}`;
      onRead(path);
      return tracked(inner, onRead, path);
    },
    has(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    set() {
      throw new TypeError('an answer cannot be changed');
    },
  }) as T;
}
