import type { Answer, Credential, Login, Need, Wallet, WalletSession } from '../../../suite/index.ts';

/** The control of a refused login: the same login with nothing wrong in it. Without it what follows proves nothing. */
export async function controlLogin(
  need: Need,
  wallet: Wallet,
  credential: Credential,
): Promise<Login & { readonly session: WalletSession }> {
  return mustSignIn(need, await wallet.login(credential));
}

/** A login that the rest of the test stands on. */
export function mustSignIn(need: Need, login: Login): Login & { readonly session: WalletSession } {
  const { session } = login;
  if (!session) {
    need(login.answer).accepted();
    need.that(false, login.problem ?? 'the login ended without a session');
  }
  return { ...login, session: session as WalletSession };
}

/** A bent login must have got as far as its verify call, else its refusal says nothing about the bend. @returns its answer */
export function mustReachVerify(need: Need, login: Login): Answer {
  need.that(
    login.first !== undefined,
    login.problem ??
      `the login ended at "${login.answer.label}" (${login.answer.outcome}), before the verify call`,
  );
  return login.first as Answer;
}
