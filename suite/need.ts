import type { TestInfo } from '@playwright/test';
import type { RetryChallenge, SignedRetry } from '../client/signed-retry.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { Answer } from './answers/answer.ts';
import type { Credential, CredentialType, Registration, WalletSession } from './api/wallet/credentials.ts';
import type { Login } from './api/wallet/logins.ts';
import { giveUp, type GiveUpKind } from './give-up.ts';

/** Conditions without which a test can prove nothing. None of them accuses the target. */
export interface Need extends WalletNeeds {
  /** The control: this answer must be a 2xx, else the test's open rules become `inconclusive`. */
  (answer: Answer): { accepted(): void; refused(): void; available(): void };
  /** Any other condition that the rest of the test stands on. @returns what it was given, known to be truthy */
  that<T>(condition: T, otherwise: string): Truthy<T>;
  /** A thing that the target may lack: without it the test's open rules stay `not verified`. @returns what it was given */
  offered<T>(condition: T, otherwise: string): Truthy<T>;
}

export function makeNeed(journal: JournalWriter, testInfo: TestInfo): Need {
  return needThat({
    stop: (kind, reason) => giveUp(journal, testInfo, kind, reason),
    control: ({ id }) => journal.control(id),
    trouble: (reason) => journal.meetTrouble(reason),
  });
}

/** What becomes of a condition. */
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
  return {
    accepted() {
      if (is(answer, 2)) return control?.(answer);
      answer.tellFault();
      stop(
        isRefusal(answer) ? 'refused' : 'inconclusive',
        `the control "${answer.label}" was answered ${answer.told}, so what follows proves nothing`,
      );
    },
    refused() {
      if (!is(answer, 4))
        stop(
          'inconclusive',
          `"${answer.label}" was answered ${answer.told}, not refused, so what follows proves nothing`,
        );
    },
    available() {
      if (is(answer, 2)) return;
      answer.tellFault();
      if (answer.trouble && !isAbsent(answer))
        stop('inconclusive', `"${answer.label}" was answered ${answer.told}`);
      stop('unprepared', `this target does not offer "${answer.label}" (${answer.told})`);
    },
  };
}

/** What frameworks answer, in whatever form, for an operation that is not there. */
function isAbsent({ exchange }: Answer): boolean {
  return [404, 405, 501].includes(exchange.response?.status ?? 0);
}

/** The target's own word: it does not take this variant, which says nothing of the others. */
function isRefusal(answer: Answer): boolean {
  return is(answer, 4) && answer.trouble?.momentary !== true;
}

function is(answer: Answer, family: number): boolean {
  return Math.floor((answer.exchange.response?.status ?? 0) / 100) === family;
}

type Truthy<T> = Exclude<T, undefined | null | false | '' | 0>;

/** Conditions about credentials and signed retries without which a test can prove nothing. */
interface WalletNeeds {
  /** The challenge of a first call, without which there is no signed retry to judge. */
  challenged(retry: SignedRetry<Answer>): RetryChallenge;
  /** A signed retry that was asked for, made, and accepted. @returns what it was given */
  completed<R extends SignedRetry<Answer>>(retry: R): R;
  /** The credential of a registration that went through. */
  registered<T extends CredentialType>(registration: Registration<T>): Credential<T>;
  /** A wrong login must have got as far as its verify call, else its refusal says nothing of what is wrong. @returns its answer */
  reachedVerify(login: Login): Answer;
  /** A login that minted a session. @returns it, with the session */
  minted(login: Login): Login & { readonly session: WalletSession };
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
