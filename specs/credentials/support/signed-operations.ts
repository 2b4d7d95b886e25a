import type { SignedRetry } from '../../../client/signed-retry.ts';
import {
  newEmail,
  walletRequests,
  type Answer,
  type Wallet,
  type WalletRequest,
  type WalletSession,
} from '../../../suite/index.ts';
import { atUsualPlace } from './assumes.ts';
import { listOf, ownIds } from './listed.ts';
import { mustHaveId, mustRegister } from './must.ts';
import { readEmail, readPrivacy, readSessions } from './read-back.ts';
import type { Attempt, Look, Parts, SignedOperation, Situation } from './situation.ts';

/** What an operation asks for, made anew for each attempt. */
interface Asked {
  readonly request: WalletRequest;
  readonly by?: WalletSession;
  readonly look?: () => Promise<Look>;
}

/** Operations of which the interface names no path or no body, by the id that openapi.yaml gives them. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'RETRY-SESSION-REFRESH': 'refreshSession',
  'RETRY-SESSION-REVOKE': 'revokeSession',
  'RETRY-WALLET-EXPORT': 'exportWallet',
  'RETRY-WALLET-PRIVACY': 'updateInternalAccount',
  'RETRY-CUSTOMER-EMAIL': 'updateCustomer',
};

/** Every operation that needs the signed retry. The paths and bodies of the last five are not shown. */
export const signedOperations: readonly SignedOperation[] = [
  operation('adding a credential', 'RETRY-CREDENTIAL-CREATE', async ({ profile }, { wallet }) => {
    const draft = profile.capabilities.includes('passkey')
      ? wallet.draftPasskey()
      : await wallet.draftOauth();
    return { request: walletRequests.register(draft.body), look: () => credentialsOf(wallet) };
  }),
  operation('revoking a credential', 'RETRY-CREDENTIAL-REVOKE', async ({ need }, { wallet, session }) => {
    const { id } = mustRegister(
      need,
      await wallet.probe(session, { label: 'registering a credential to revoke' }),
    );
    return { request: walletRequests.revoke(id), look: () => credentialsOf(wallet) };
  }),
  { name: 'verifying a one-time code', rule: 'RETRY-OTP-VERIFY', assumes: [], prepare: prepareVerify },
  operation('refreshing a session', 'RETRY-SESSION-REFRESH', async (parts, situation) => {
    const session = await anotherSession(parts, situation);
    const { wallet } = situation;
    return {
      request: walletRequests.refreshSession(session.id, wallet.newKey().uncompressed),
      by: session,
      look: () => readSessions(wallet),
    };
  }),
  operation('revoking a session', 'RETRY-SESSION-REVOKE', async (parts, situation) => {
    const session = await anotherSession(parts, situation);
    return {
      request: walletRequests.revokeSession(session.id),
      look: () => signs(situation.wallet, session),
    };
  }),
  operation('exporting a wallet', 'RETRY-WALLET-EXPORT', async (_, { wallet }) => ({
    request: walletRequests.exportWallet(wallet.accountId, wallet.newKey().uncompressed),
  })),
  operation("updating a wallet's privacy", 'RETRY-WALLET-PRIVACY', async (_, { wallet }, count) => ({
    request: walletRequests.setPrivacy(wallet.accountId, count % 2 === 0),
    look: () => readPrivacy(wallet),
  })),
  operation("updating a customer's e-mail", 'RETRY-CUSTOMER-EMAIL', async (_, { wallet }) => ({
    request: walletRequests.setEmail(wallet.customerId, newEmail()),
    look: () => readEmail(wallet),
  })),
];

/** Those that a session of the account signs: all but the one that mints it. */
export const sessionSigned = signedOperations.filter(({ rule }) => rule !== 'RETRY-OTP-VERIFY');

/** One of them by its rule. @throws RangeError for another rule */
export function signedOperation(rule: string): SignedOperation {
  const found = signedOperations.find((one) => one.rule === rule);
  if (!found) throw new RangeError(`no operation has the rule ${rule}`);
  return found;
}

function operation(
  name: string,
  rule: string,
  ask: (parts: Parts, situation: Situation, count: number) => Promise<Asked>,
): SignedOperation {
  const prepare = async (parts: Parts): Promise<Situation> => {
    const usesEmail = rule.includes('EMAIL');
    const { wallet, credential, session } = await parts.given.signedIn(usesEmail ? 'EMAIL_OTP' : undefined);
    let count = 0;
    const situation: Situation = {
      wallet,
      credential,
      session,
      async fresh() {
        const { request, by, look } = await ask(parts, situation, count++);
        const bySession = by ?? situation.session;
        const { key } = bySession;
        const attempt: Attempt = {
          by: key,
          bySession,
          request: { ...request, label: name },
          async run(bend = {}, what) {
            const retry = await wallet.signed(
              { ...request, label: what === undefined ? name : `${name}, ${what}` },
              key,
              bend,
            );
            if (rule in NOT_SHOWN) mustBeOffered(parts, name, retry);
            return retry;
          },
          ...(look ? { look } : {}),
        };
        return attempt;
      },
    };
    return situation;
  };
  const assumes = rule in NOT_SHOWN ? atUsualPlace(NOT_SHOWN[rule] as string) : [];
  return { name, rule, assumes, prepare };
}

/** Where the path is not shown, a refusal of the first call may mean that the operation is elsewhere or wants another body. */
function mustBeOffered({ need }: Parts, name: string, { first }: SignedRetry<Answer>): void {
  const asksForHeaders =
    first.exchange.response !== undefined && /^WALLET_SIGNATURE_|^REQUEST_ID_MISSING$/.test(first.code ?? '');
  if (!asksForHeaders)
    need.offered(
      isSuccess(first),
      `this target does not offer "${name}" at the usual path (${first.outcome})`,
    );
}

/** A further session, with its id. */
async function anotherSession(
  { given, need }: Parts,
  { wallet, credential }: Situation,
): Promise<WalletSession & { readonly id: string }> {
  const session = await given.session(wallet, credential);
  return { ...session, id: mustHaveId(need, session) };
}

async function prepareVerify(parts: Parts): Promise<Situation> {
  const { wallet, credential, session } = await parts.given.signedIn('EMAIL_OTP');
  const name = 'verifying a one-time code';
  return {
    wallet,
    credential,
    session,
    async fresh() {
      const by = wallet.newKey();
      return {
        by,
        async run(retry = {}, what) {
          const label = what === undefined ? name : `${name}, ${what}`;
          const login = await wallet.login(credential, {
            clientKey: by,
            retry,
            verify: (request) => ({ ...request, label }),
          });
          const first = parts.need.that(
            login.first,
            login.problem ?? `the challenge was answered ${login.answer.outcome}`,
          );
          return { first, challenge: login.signing, retries: login.retries, answer: login.answer };
        },
        look: () => signs(wallet, { key: by }),
      };
    },
  };
}

async function credentialsOf(wallet: Wallet): Promise<Look> {
  const answer = await listOf(wallet);
  return { answer, value: isSuccess(answer) ? ownIds(answer, wallet) : undefined };
}

/** Whether a key signs wallet requests. */
async function signs(wallet: Wallet, { key }: Pick<WalletSession, 'key'>): Promise<Look> {
  const { answer, challenge } = await wallet.probe(key, {
    label: 'a wallet request signed with the key of this session',
  });
  return {
    answer,
    value: challenge === undefined ? undefined : isSuccess(answer) ? 'signs' : 'does not sign',
  };
}

function isSuccess(answer: Answer): boolean {
  const status = answer.exchange.response?.status ?? 0;
  return status >= 200 && status < 300;
}
