import type { TestInfo } from '@playwright/test';
import type { RetryChallenge, SignedRetry } from '../client/signed-retry.ts';
import type { JournalWriter, GiveUpKind } from '../journal/journal-writer.ts';
import { endOfControl, endOfOffer } from '../doubt/answer.ts';
import type { Answer } from './answers/answer.ts';
import { told } from './run/error-text.ts';

/** Conditions without which a test can prove nothing. None of them accuses the target. */
export interface Need extends WalletNeeds {
  /** The control: this answer must be a 2xx, else the test's open rules become `inconclusive`. */
  (answer: Answer): { accepted(): void; refused(): void; available(): void };
  /** Any other condition that the rest of the test stands on. @returns what it was given, known to be truthy */
  that<T>(condition: T, otherwise: string): Truthy<T>;
  /** A thing that the target may lack: without it the test's open rules stay `not verified`. @returns what it was given */
  offered<T>(condition: T, otherwise: string): Truthy<T>;
}

export function makeNeed(journal: JournalWriter, giveUp: GiveUp): Need {
  return needThat({
    stop: giveUp,
    control: ({ id }) => journal.control(id),
    trouble: (reason) => journal.meetTrouble(reason),
  });
}

/** What is done where a condition holds, and where it does not. */
interface Ends {
  readonly stop: (kind: GiveUpKind, reason: string) => never;
  /** Notes an answer that was the control. */
  readonly control?: (answer: Answer) => void;
  /** Notes trouble of the moment. */
  readonly trouble?: (reason: string) => void;
}

/** The same conditions, with other ends than that of a test. */
export function needThat({ stop, control, trouble }: Ends): Need {
  const need = (answer: Answer) => {
    const stopOver = (kind: GiveUpKind, reason: string): never => {
      if (answer.trouble?.momentary) trouble?.(`"${answer.label}" was answered ${answer.trouble.what}`);
      return stop(kind, reason);
    };
    return conditions(answer, stopOver, control);
  };
  const orGiveUp =
    (kind: GiveUpKind) =>
    <T>(condition: T, otherwise: string): Truthy<T> =>
      condition ? (condition as Truthy<T>) : stop(kind, otherwise);
  return withWalletNeeds(
    Object.assign(need, { that: orGiveUp('inconclusive'), offered: orGiveUp('unprepared') }),
  );
}

function conditions(answer: Answer, stop: Ends['stop'], control: Ends['control']) {
  const { label, told: said } = answer;
  const family = Math.floor((answer.exchange.response?.status ?? 0) / 100);
  return {
    accepted() {
      if (family === 2) return control?.(answer);
      answer.tellFault();
      stop(
        endOfControl(answer),
        `the control "${label}" was answered ${said}, so what follows proves nothing`,
      );
    },
    refused() {
      if (family !== 4)
        stop('inconclusive', `"${label}" was answered ${said}, not refused, so what follows proves nothing`);
    },
    available() {
      if (family === 2) return;
      answer.tellFault();
      const end = endOfOffer(answer);
      if (end === 'inconclusive') stop(end, `"${label}" was answered ${said}`);
      stop(end, `this target does not offer "${label}" (${said})`);
    },
  };
}

/** Ends a test that met trouble, so that it runs again. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/**
 * Ends a test without accusing anybody: the reason is kept, and the test shows as skipped. A test that met trouble fails
 * in place of that the first time, since a skipped test is not repeated.
 *
 * @param reason why, in one sentence; secrets in it are masked
 * @param mend what would mend it, as an order: "serve the state `sca-customer`"
 */
export type GiveUp = (kind: GiveUpKind, reason: string, mend?: string) => never;

/** How this test is given up. */
export function giveUpOf(journal: JournalWriter, testInfo: TestInfo): GiveUp {
  return (kind, reason, mend) => {
    const masked = journal.mask(reason);
    journal.stop(kind, masked, mend === undefined ? undefined : journal.mask(mend));
    if (testInfo.retry === 0 && journal.isWorthRepeating)
      throw told(new GivenUp(`repeated after trouble: ${journal.mask(journal.trouble ?? reason)}`));
    testInfo.skip(true, `${kind === 'unprepared' ? 'not verified' : 'inconclusive'}: ${masked}`);
    throw new Error('unreachable: skip ends the test');
  };
}

type Truthy<T> = Exclude<T, undefined | null | false | '' | 0>;

/** Conditions about credentials and signed retries without which a test can prove nothing. */
interface WalletNeeds {
  /** The challenge of a first call, without which there is no signed retry to judge. */
  challenged(retry: Pick<SignedRetry<Answer>, 'first' | 'challenge'>): RetryChallenge;
  /** A signed retry that was asked for, made, and accepted. @returns what it was given */
  completed<R extends SignedRetry<Answer>>(retry: R): R;
  /** The credential of a registration that went through. */
  registered<C>(registration: { readonly answer: Answer; readonly credential: C | undefined }): C;
  /** A wrong login must have got as far as its verify call, else its refusal says nothing of what is wrong. @returns its answer */
  reachedVerify(login: Begun & { readonly first: Answer | undefined }): Answer;
  /** A login that minted a session. @returns it, with the session */
  minted<S, L extends Begun & { readonly session: S | undefined }>(
    login: L & { readonly session: S | undefined },
  ): L & { readonly session: S };
}

/** A login as far as it has got. */
interface Begun {
  readonly answer: Answer;
  /** Why it got no further although nothing was refused. */
  readonly problem: string | undefined;
}

/** What these conditions are made of. */
interface Conditions {
  (answer: Answer): { accepted(): void };
  that<T>(condition: T, otherwise: string): Truthy<T>;
}

/** The same conditions, with those of wallets beside them. */
function withWalletNeeds<N extends Conditions>(need: N): N & WalletNeeds {
  const words: WalletNeeds = {
    challenged({ first, challenge }) {
      if (!challenge && first.isFault) need(first).accepted();
      return need.that(
        challenge,
        `the first call "${first.label}" was answered ${first.outcome} without a challenge, so there is no signed retry`,
      );
    },
    completed(retry) {
      words.challenged(retry);
      need(retry.answer).accepted();
      return retry;
    },
    registered({ answer, credential }) {
      need(answer).accepted();
      return need.that(credential, 'the registered credential came without an id');
    },
    reachedVerify({ first, problem, answer }) {
      if (!first && problem === undefined) need(answer).accepted();
      return need.that(
        first,
        problem ?? `the login ended at "${answer.label}" (${answer.outcome}), before the verify call`,
      );
    },
    minted(login) {
      const { session, problem, answer } = login;
      if (!session) need(answer).accepted();
      return { ...login, session: need.that(session, problem ?? 'the login ended without a session') };
    },
  };
  return Object.assign(need, words);
}
