import type { RetryChallenge, SignedRetry } from '../../../client/signed-retry.ts';
import type { Answer } from '../../answer.ts';
import type { Credential, CredentialType, Registration, WalletSession } from './credential.ts';
import type { Login } from './login.ts';

export type Truthy<T> = Exclude<T, undefined | null | false | '' | 0>;

/** Conditions about credentials and signed retries without which a test can prove nothing. */
export interface WalletNeeds {
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

/** What these conditions are made of. */
interface Conditions {
  (answer: Answer): { accepted(): void };
  that<T>(condition: T, otherwise: string): Truthy<T>;
}

/** The same conditions, with those of wallets beside them. */
export function withWalletNeeds<N extends Conditions>(need: N): N & WalletNeeds {
  const words: WalletNeeds = {
    challenged: ({ first, challenge }) =>
      need.that(
        challenge,
        `the first call "${first.label}" was answered ${first.outcome} without a challenge, so there is no signed retry`,
      ),
    completed(retry) {
      words.challenged(retry);
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
  return Object.assign(need, words);
}
