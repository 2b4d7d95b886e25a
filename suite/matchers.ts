import { expect as base, type Matchers } from 'expect';
import { type Answer } from './answers/answer.ts';
import { failureInWords } from './failure-words.ts';
import { Unanswered, noteNamed } from '../doubt/check.ts';
import { balancesInWords, type Due, isDue, type Taken } from './taken.ts';

/**
 * Playwright's own `expect` records what was expected as a step of the test, and traces and reports write it in clear. So
 * specs assert with the library that it is made from.
 */
declare module 'expect' {
  // The library's own declaration has these parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Matchers<R extends void | Promise<void>, T> {
    /** A 2xx. */
    toBeAccepted(): R;
    /** A 4xx, or one of the given statuses. */
    toBeRefused(...statuses: number[]): R;
    /** One of the given HTTP statuses. */
    toHaveHttpStatus(...statuses: number[]): R;
    /** The `status` field of the object in the body. */
    toHaveStatus(...statuses: string[]): R;
    /** The `code` field of an error body. */
    toHaveCode(...codes: string[]): R;
    /** 401 with one of the given codes. */
    toBeUnauthorized(...codes: string[]): R;
    /** An `expiresAt` in the body that lies after this moment. */
    toExpireAfter(moment: Date): R;
    /** So much has left the account. */
    toHaveTaken(due: Due): R;
    /** The value is one of these. */
    toBeOneOf(values: readonly unknown[]): R;
  }
}

/** Statuses as words: `400 or 403`. */
const either = (values: readonly (string | number)[]) => [...new Set(values)].join(' or ');

function verdict(pass: boolean, expected: string, answer: Answer, actual: unknown) {
  return {
    pass,
    expected,
    actual,
    message: () => `"${answer.label}": expected ${pass ? 'not ' : ''}${expected}, got ${String(actual)}`,
  };
}

/** An answer that was found to be just what the assertion names is no trouble, whatever its status. */
function found(answer: Answer, isFound: boolean, { isNot }: { isNot?: boolean }): boolean {
  if (isFound && !isNot) noteNamed(answer);
  return isFound;
}

base.extend({
  toBeAccepted(answer: Answer) {
    return verdict(answer.accepted, 'an accepted request (2xx)', answer, answer.status);
  },
  toBeRefused(answer: Answer, ...statuses: number[]) {
    // A limit on the rate refuses everything, so it proves no particular refusal.
    if (answer.cameFromBetween && !statuses.includes(answer.status))
      throw new Unanswered(
        `"${answer.label}" was answered ${answer.trouble?.what}, which ${answer.trouble?.momentary ? 'may come from something in between' : 'proves nothing'}`,
      );
    const pass = statuses.length > 0 ? found(answer, statuses.includes(answer.status), this) : answer.refused;
    const wanted = `a refusal (${statuses.length > 0 ? either(statuses) : '4xx'})`;
    return verdict(pass, wanted, answer, answer.status);
  },
  toHaveHttpStatus(answer: Answer, ...statuses: number[]) {
    const pass = found(answer, statuses.includes(answer.status), this);
    return verdict(pass, `HTTP status ${either(statuses)}`, answer, answer.status);
  },
  toHaveStatus(answer: Answer, ...statuses: string[]) {
    const actual: unknown = answer.body?.status;
    return verdict(statuses.includes(actual as string), `status ${either(statuses)}`, answer, actual);
  },
  toHaveCode(answer: Answer, ...codes: string[]) {
    const pass = found(answer, codes.includes(answer.code ?? ''), this);
    return verdict(pass, `code ${either(codes)}`, answer, answer.code ?? 'no code');
  },
  toBeUnauthorized(answer: Answer, ...codes: string[]) {
    if (!found(answer, answer.status === 401, this))
      return verdict(false, 'HTTP status 401', answer, answer.status);
    const pass = found(answer, codes.includes(answer.code ?? ''), this);
    return verdict(pass, `code ${either(codes)}`, answer, answer.code ?? 'no code');
  },
  toHaveTaken(taken: Taken, due: Due) {
    return { pass: isDue(taken, due), message: () => balancesInWords(taken, due) };
  },
  toBeOneOf(actual: unknown, values: readonly unknown[]) {
    const listed = values.map(String).join(this.isNot ? ' nor ' : ' or ') || 'one of an empty list';
    const expected = `${this.isNot ? 'neither ' : ''}${listed}`;
    const message = () => `expected ${expected}, got ${String(actual)}`;
    return { pass: values.includes(actual), message };
  },
  toExpireAfter(answer: Answer, moment: Date) {
    const { expiresAt } = answer.body as { readonly expiresAt?: unknown };
    const pass = Date.parse(String(expiresAt)) > moment.getTime();
    return verdict(pass, `an expiresAt after ${moment.toISOString()}`, answer, expiresAt);
  },
});

/** Asymmetric matchers, for use within an expected value. */
const asymmetric = {
  any: (type: unknown): unknown => base.any(type),
  arrayContaining: (items: unknown[]): unknown => base.arrayContaining(items),
  objectContaining: (members: Record<string, unknown>): unknown => base.objectContaining(members),
};

/** What `expect(actual)` offers. */
type Expectation<T> = Matchers<void, T> & { readonly not: Matchers<void, T> };

/**
 * An assertion over an answer or a value.
 *
 * @param message what the assertion is about; stands before its own words when it fails
 */
function expectation<T>(actual: T, message?: string): Expectation<T> {
  return inOurWords(base(actual) as unknown as Expectation<T>, actual, message);
}

/** The same matchers, which say in our words what failed. */
function inOurWords<M extends object>(matchers: M, actual: unknown, about?: string, isNot = false): M {
  return new Proxy(matchers, {
    get(target, key) {
      const matcher: unknown = Reflect.get(target, key);
      if (key === 'not') return inOurWords(matcher as object, actual, about, true);
      if (typeof matcher !== 'function') return matcher;
      return (...args: unknown[]) => {
        try {
          return matcher.apply(target, args) as unknown;
        } catch (error) {
          if (!(error instanceof Error) || error instanceof Unanswered) throw error;
          const isAboutValues = 'matcherResult' in error;
          const words = isAboutValues ? failureInWords(String(key), isNot, actual, args[0]) : undefined;
          sayInstead(error, saidOf(words ?? error.message, about));
          throw error;
        }
      };
    },
  });
}

function saidOf(message: string, about: string | undefined): string {
  if (about === undefined) return message;
  return message.startsWith('expected') ? `${about}: ${message}` : `${about}\n${message}`;
}

/** The stack repeats the message, and other reporters print the stack. */
function sayInstead(error: Error, message: string): void {
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => message);
  error.message = message;
}

export const expect = Object.assign(expectation, asymmetric);
