import type { TestInfo } from '@playwright/test';
import type { RetryChallenge, SignedRetry } from '../client/signed-retry.ts';
import type { Answer } from './answer.ts';
import type { Credential, CredentialType, Registration, WalletSession } from './api/wallet/credential.ts';
import type { Login } from './api/wallet/login.ts';
import { giveUp, type GiveUpKind } from './give-up.ts';
import type { JournalWriter } from './journal/journal-writer.ts';

type Truthy<T> = Exclude<T, undefined | null | false | '' | 0>;

/** Conditions without which a test can prove nothing. None of them accuses the target. */
export interface Need {
  /** The control: this answer must be a 2xx, else the test's open rules become `inconclusive`. */
  (answer: Answer): { accepted(): void; refused(): void; available(): void };
  /** Any other condition that the rest of the test stands on. @returns what it was given, known to be truthy */
  that<T>(condition: T, otherwise: string): Truthy<T>;
  /** A thing that the target may lack: without it the test's open rules stay `not verified`. @returns what it was given */
  offered<T>(condition: T, otherwise: string): Truthy<T>;
  /** The challenge of a first call, without which there is no signed retry to judge. */
  challenged(retry: SignedRetry<Answer>): RetryChallenge;
  /** A signed retry that was asked for, made, and accepted. @returns what it was given */
  completed<R extends SignedRetry<Answer>>(retry: R): R;
  /** The credential of a registration that went through. */
  registered<T extends CredentialType>(registration: Registration<T>): Credential<T>;
  /** A wrong login must have got as far as its verify call, else its refusal says nothing of what is wrong. @returns its answer */
  reachedVerify(login: Login): Answer;
  /** A login that minted a session. @returns it, with the session */
  signedIn(login: Login): Login & { readonly session: WalletSession };
}

export function makeNeed(journal: JournalWriter, testInfo: TestInfo): Need {
  const stop = (kind: GiveUpKind, reason: string): never => giveUp(journal, testInfo, kind, reason);
  const need = (answer: Answer) => {
    const stopOver = (kind: GiveUpKind, reason: string): never => {
      if (answer.trouble?.momentary)
        journal.meetTrouble(`"${answer.label}" was answered ${answer.trouble.what}`);
      return stop(kind, reason);
    };
    return conditions(answer, stopOver);
  };
  const conditions = (answer: Answer, stop: (kind: GiveUpKind, reason: string) => never) => ({
    accepted() {
      if (is(answer, 2)) journal.control(answer.id);
      else
        stop(
          'inconclusive',
          `the control "${answer.label}" was answered ${answer.outcome}, so what follows proves nothing`,
        );
    },
    refused() {
      if (!is(answer, 4))
        stop(
          'inconclusive',
          `"${answer.label}" was answered ${answer.outcome}, not refused, so what follows proves nothing`,
        );
    },
    available() {
      if (is(answer, 2)) return;
      if (answer.trouble && !isAbsent(answer))
        stop('inconclusive', `"${answer.label}" was answered ${answer.outcome}`);
      stop('unprepared', `this target does not offer "${answer.label}" (${answer.outcome})`);
    },
  });
  const orGiveUp =
    (kind: GiveUpKind) =>
    <T>(condition: T, otherwise: string): Truthy<T> =>
      condition ? (condition as Truthy<T>) : stop(kind, otherwise);
  const words = Object.assign(need, { that: orGiveUp('inconclusive'), offered: orGiveUp('unprepared') });
  return Object.assign(words, ofWallets(words));
}

type Words = Pick<Need, 'that' | 'offered'> & ((answer: Answer) => { accepted(): void });

function ofWallets(
  need: Words,
): Pick<Need, 'challenged' | 'completed' | 'registered' | 'reachedVerify' | 'signedIn'> {
  return {
    challenged: ({ first, challenge }) =>
      need.that(
        challenge,
        `the first call "${first.label}" was answered ${first.outcome} without a challenge, so there is no signed retry`,
      ),
    completed(retry) {
      this.challenged(retry);
      need(retry.answer).accepted();
      return retry;
    },
    registered({ answer, credential }) {
      need(answer).accepted();
      return need.that(credential, 'the registered credential came without an id');
    },
    reachedVerify: ({ first, problem, answer }) =>
      need.that(
        first,
        problem ?? `the login ended at "${answer.label}" (${answer.outcome}), before the verify call`,
      ),
    signedIn(login) {
      const { session, problem, answer } = login;
      if (!session) need(answer).accepted();
      return { ...login, session: need.that(session, problem ?? 'the login ended without a session') };
    },
  };
}

/** What frameworks answer, in whatever form, for an operation that is not there. */
function isAbsent({ exchange }: Answer): boolean {
  return [404, 405, 501].includes(exchange.response?.status ?? 0);
}

function is(answer: Answer, family: number): boolean {
  return Math.floor((answer.exchange.response?.status ?? 0) / 100) === family;
}
