import type { KeyPair } from '../../../client/crypto/index.ts';
import type { SignedRetry } from '../../../client/signed-retry.ts';
import type {
  Answer,
  Credential,
  Given,
  Need,
  Profile,
  Wallet,
  WalletBend,
  WalletRequest,
  WalletSession,
} from '../../../suite/index.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';

/** What preparing an operation takes from the test. */
export interface Parts {
  readonly given: Given;
  readonly need: Need;
  readonly profile: Profile;
}

/** What an operation changes, looked at once. */
export interface Look {
  readonly answer: Answer;
  readonly value: unknown;
}

/** One request of an operation, which its signed retry can complete. */
export interface Attempt {
  /** Signs it. */
  readonly by: KeyPair;
  /** The session of that key; absent where the request mints one. */
  readonly bySession?: WalletSession;
  /** Absent where the request can only be made within a flow (verify of a one-time code). */
  readonly request?: WalletRequest;
  /**
   * Both calls, bent or not. Ends the test as `not verified` where the target does not offer the operation.
   *
   * @param what follows the operation's name in labels
   */
  readonly run: (bend?: WalletBend, what?: string) => Promise<SignedRetry<Answer>>;
  /** What must stay the same until the signed retry; absent where nothing shows it. */
  readonly look?: () => Promise<Look>;
}

/** An account on which one operation can be made again and again. */
export interface Situation {
  readonly wallet: Wallet;
  /** Mints sessions that may sign. */
  readonly credential: Credential;
  /** Signs; can be replaced, for instance once it has expired. */
  session: WalletSession;
  /** A request that has not been made yet. */
  readonly fresh: () => Promise<Attempt>;
}

/** An operation that needs the signed retry (section Authentication, 6). */
export interface SignedOperation {
  /** As in "adding a credential". */
  readonly name: string;
  /** The rule that it needs the signed retry. */
  readonly rule: string;
  /** What its request chose where the interface shows nothing. */
  readonly assumes: readonly DialectAssumption[];
  readonly prepare: (parts: Parts) => Promise<Situation>;
}
