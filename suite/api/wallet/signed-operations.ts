/** Everything that needs a signed retry, as flows that a test can go through with each of them. */
import { isObject } from '../../../schemas/json.ts';
import type { KeyPair } from '../../../client/crypto/index.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import { eventually } from '../../eventually.ts';
import type { PreparedRequest, ReadBack, SignedOperation, Wallet } from '../wallet.ts';
import {
  isRefusedUnsigned,
  credentialRequests,
  lower,
  newEmail,
  ownIds,
  sessionRequests,
  walletRequests,
  type WalletRequest,
  type WalletSession,
} from './requests.ts';

/** What an operation asks for. */
interface Asked {
  readonly request: WalletRequest;
  /** Signs it; the session that the wallet signed in with unless given. */
  readonly session?: WalletSession;
  readonly readBack?: PreparedRequest['readBack'];
}

/** Every operation that needs the signed retry. The paths and bodies of the last five are not shown. */
export const signedOperations: readonly SignedOperation[] = [
  {
    ...shown('adding a credential', 'RETRY-CREDENTIAL-CREATE', async (wallet) => ({
      request: credentialRequests.register((await wallet.anyDraft()).body),
      readBack: () => readCredentials(wallet),
    })),
    undo: async (wallet, { body }) => {
      const { id } = (body ?? {}) as { id?: unknown };
      wallet.need.that(typeof id === 'string', 'the registered credential came without an id');
      await wallet.needRevoke(id as string, wallet.signer.session);
    },
  },
  shown('revoking a credential', 'RETRY-CREDENTIAL-REVOKE', async (wallet) => {
    const { id } = await wallet.addCredential('registering a credential to revoke');
    return { request: credentialRequests.revoke(id), readBack: readWhetherListed(wallet, id) };
  }),
  {
    name: 'verifying a one-time code',
    rule: 'RETRY-OTP-VERIFY',
    signsInWith: 'EMAIL_OTP',
    assumes: [],
    prepare: prepareVerify,
  },
  notShown('refreshing a session', 'RETRY-SESSION-REFRESH', 'refreshSession', async (wallet) => {
    const session = await wallet.sessions.another();
    return {
      request: sessionRequests.refresh(session.id, wallet.newKey().uncompressed),
      session,
      readBack: (isDone) => readSessions(wallet, isDone ? [] : [session.id]),
    };
  }),
  notShown('revoking a session', 'RETRY-SESSION-REVOKE', 'revokeSession', async (wallet) => {
    const { id, key } = await wallet.sessions.another();
    return { request: sessionRequests.revoke(id), readBack: () => whetherSigns(wallet, key) };
  }),
  notShown('exporting a wallet', 'RETRY-WALLET-EXPORT', 'exportWallet', async (wallet) => ({
    request: walletRequests.exportWallet(wallet.accountId, wallet.newKey().uncompressed),
  })),
  notShown(
    "updating a wallet's privacy",
    'RETRY-WALLET-PRIVACY',
    'updateInternalAccount',
    async (wallet, count) => ({
      // Each time the other setting.
      request: walletRequests.setPrivacy(wallet.accountId, count % 2 === 0),
      readBack: () => readPrivacy(wallet),
    }),
  ),
  {
    ...notShown("updating a customer's e-mail", 'RETRY-CUSTOMER-EMAIL', 'updateCustomer', async (wallet) => ({
      request: walletRequests.setEmail(wallet.customerId, newEmail()),
      readBack: () => readEmail(wallet),
    })),
    signsInWith: 'EMAIL_OTP',
    undo: (wallet) => wallet.needComplete(signedOperation('RETRY-CUSTOMER-EMAIL')),
  },
];

/** Each of them, and beside the login by a code by e-mail that by text message, of which the same is said. */
export const signedCases = [
  ...signedOperations.map((operation) => ({ ...operation, operation })),
  {
    ...signedOperation('RETRY-OTP-VERIFY'),
    operation: signedOperation('RETRY-OTP-VERIFY'),
    name: 'verifying a code by text message',
    signsInWith: 'SMS_OTP',
  },
] as const;

/** Those that a session of the account signs: all but the one that mints it. */
export const sessionSigned = signedOperations.filter(({ rule }) => rule !== 'RETRY-OTP-VERIFY');

/** One of them by its rule. @throws RangeError for another rule */
export function signedOperation(rule: string): SignedOperation {
  const found = signedOperations.find((one) => one.rule === rule);
  if (!found) throw new RangeError(`no operation has the rule ${rule}`);
  return found;
}

type Ask = (wallet: Wallet, count: number) => Promise<Asked>;

/** An operation of which the interface shows path and body. */
function shown(name: string, rule: string, ask: Ask): SignedOperation {
  return {
    name,
    rule,
    assumes: [],
    prepare: async (wallet, count) => prepared(wallet, name, await ask(wallet, count)),
  };
}

/** One of which it names no path or no body. @param operationId that openapi.yaml gives it */
function notShown(name: string, rule: string, operationId: string, ask: Ask): SignedOperation {
  return {
    name,
    rule,
    // What a request stands on whose path and body the interface does not show.
    assumes: [`paths.${operationId}`, `bodies.${operationId}`],
    async prepare(wallet, count) {
      const request = prepared(wallet, name, await ask(wallet, count));
      return {
        ...request,
        async signed(options) {
          const done = await request.signed(options);
          needOffered(wallet, name, done.first);
          return done;
        },
      };
    },
  };
}

function prepared(wallet: Wallet, name: string, asked: Asked): PreparedRequest {
  const { session = wallet.signer.session, request, readBack } = asked;
  return {
    name,
    key: session.key,
    session,
    request: { ...request, label: name },
    signed: ({ label, ...options } = {}) =>
      wallet.signed({ ...request, label: labelOf(name, label) }, session, options),
    ...(readBack ? { readBack } : {}),
  };
}

/** Where the path is not shown, a refusal of the first call may mean that the operation is elsewhere or wants another body. */
function needOffered(wallet: Wallet, name: string, first: Answer): void {
  if (isRefusedUnsigned(first)) return;
  first.tellFault();
  wallet.need.offered(succeeded(first), `this target does not offer "${name}" (${first.outcome})`);
}

async function prepareVerify(wallet: Wallet): Promise<PreparedRequest> {
  const name = 'verifying a one-time code';
  const clientKey = wallet.newKey();
  return {
    name,
    key: clientKey,
    async signed({ label, ...retry } = {}) {
      const options = { clientKey, retry, label: labelOf(name, label) };
      const login = await wallet.login(wallet.signer.credential, options);
      const first = wallet.need.reachedVerify(login);
      return { first, challenge: login.signing, retries: login.retries, answer: login.answer };
    },
    readBack: () => whetherSigns(wallet, clientKey),
  };
}

async function whetherSigns(wallet: Wallet, key: KeyPair): Promise<ReadBack> {
  const label = 'a wallet request signed with the key of this session';
  const { answer, challenge } = await wallet.tryAny(key, { label });
  const value = succeeded(answer) ? 'signs' : 'does not sign';
  return { answer, value: challenge === undefined ? undefined : value };
}

function labelOf(name: string, what: string | undefined): string {
  return what === undefined ? name : `${name}, ${what}`;
}

// ---------------------------------------------------------------------------------------------------- read back

/** Reads a list until it shows what is known to be in it, or the time is up: no sentence says that reads follow at once. */
function listWith(wallet: Wallet, read: () => Promise<Answer>, known: readonly string[]): Promise<Answer> {
  const shows = (answer: Answer, one: string) => dataOf(answer)?.some(({ id }) => lower(id) === lower(one));
  // A list of something else than records will not show them later.
  const isOther = (answer: Answer) => dataOf(answer)?.some((one: unknown) => !isObject(one)) ?? true;
  return eventually(
    read,
    (answer) => isOther(answer) || known.every((one) => shows(answer, one)),
    wallet.means.platform.patienceMs,
  );
}

/** Ids of the account's credentials; no value where the one that signs is not among them. */
async function readCredentials(wallet: Wallet): Promise<ReadBack> {
  const signer = wallet.signer.credential.id;
  const answer = await listWith(wallet, () => wallet.list(), [signer]);
  const ids = succeeded(answer) ? ownIds(answer, wallet) : [];
  return { answer, value: ids.includes(lower(signer)) ? ids : undefined };
}

/** Whether a credential is listed; no value until it has been, as a list may come late, and where the one that signs is not. */
function readWhetherListed(wallet: Wallet, id: string): NonNullable<PreparedRequest['readBack']> {
  const signer = wallet.signer.credential.id;
  let wasListed = false;
  return async (isDone) => {
    const answer = await listWith(wallet, () => wallet.list(), isDone ? [signer] : [signer, id]);
    const ids = succeeded(answer) ? ownIds(answer, wallet) : [];
    const isListed = ids.includes(lower(id));
    wasListed ||= isListed;
    const isGone = wasListed && ids.includes(lower(signer));
    return { answer, value: isListed ? 'listed' : isGone ? 'not listed' : undefined };
  };
}

/** Ids and ends of the account's sessions. @param known some of them */
async function readSessions(wallet: Wallet, known: readonly string[]): Promise<ReadBack> {
  const answer = await listWith(wallet, () => wallet.sessions.list(), known);
  const sessions = dataOf(answer);
  return {
    answer,
    value: sessions?.map(({ id, expiresAt }) => `${lower(id)} until ${String(expiresAt)}`).sort(),
  };
}

/** Whether the wallet is private. How an account is read, and how its fields are called, is not shown. */
export async function readPrivacy(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.send({
    operation: 'listInternalAccounts',
    label: "reading the wallet's privacy",
    query: { customerId: wallet.customerId },
  });
  const account = dataOf(answer)?.find(({ id }) => lower(id) === lower(wallet.accountId));
  return { answer, value: account?.['privateEnabled'] };
}

/** The customer's e-mail. How a customer is read, and how its fields are called, is not shown. */
export async function readEmail(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.send({
    operation: 'getCustomer',
    label: "reading the customer's e-mail",
    path: { customerId: wallet.customerId },
  });
  const isRead = answer.exchange.response?.status === 200;
  return { answer, value: isRead ? (answer.body as { email?: unknown } | undefined)?.email : undefined };
}

function dataOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (answer.exchange.response?.status !== 200) return undefined;
  const data: unknown = (answer.body as { data?: unknown } | undefined)?.data;
  return Array.isArray(data) ? (data as Readonly<Record<string, unknown>>[]) : undefined;
}
