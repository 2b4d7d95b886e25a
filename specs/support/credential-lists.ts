import { eventually, succeeded, type Answer, type Wallet } from '../../suite/index.ts';

/** Lists an account's credentials until they are as awaited or the time is up: no sentence says that a list follows at once. */
export function listUntil(
  wallet: Wallet,
  awaited: (list: Answer) => boolean,
  label = "listing the account's credentials",
): Promise<Answer> {
  return eventually(
    () => wallet.list({ label }),
    (list) => !succeeded(list) || awaited(list),
    wallet.means.platform.patienceMs,
  );
}
