import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { balanceOf, internalAccounts } from '../areas/accounts/records.ts';
import type { Agent } from '../areas/agents/records.ts';
import type { Replacements, BehaviourSet } from '../areas/behaviour.ts';
import { credentials } from '../areas/credentials/records.ts';
import { setQuoteStatus } from '../areas/quotes/execution.ts';
import { quotes, sourceAccountId } from '../areas/quotes/records.ts';
import { type AgentAction, actions } from '../areas/transfers/records.ts';
import type { Call, Reply } from '../server/area.ts';
import { isObject } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import { held } from '../world/ledger.ts';
import type { World } from '../world/world.ts';
import { where, yes } from '../areas/replacements.ts';
import { type Fault, fault, field, type Presenter, anyMoveOf, RACE_MILLISECONDS, within } from './fault.ts';

/** Which calls of an operation break, beside its method and path. */
interface Which {
  /** What the raw body holds, by regular expression. */
  readonly body?: RegExp;
  /** A signed retry, or a first call. */
  readonly signed?: boolean;
  /** The type of the credential in the path. */
  readonly type?: string;
}

/** By operation: what the calls are called, the rule that they have to be named by, and which they are. */
const BROKEN: Readonly<Record<string, readonly (readonly [name: string, breaks: string, which?: Which])[]>> =
  {
    'POST /agents/me/transfer-out': [
      ['transfer-out', 'TRANSFER-ACCEPTED'],
      ['transfer-out-with-remittance', 'TRANSFER-REMITTANCE-ACCEPTED', { body: /remittanceInformation/ }],
      ['transfer-out-with-a-purpose', 'TRANSFER-PURPOSE-ACCEPTED', { body: /purpose/i }],
      ['transfer-out-with-a-rail', 'TRANSFER-ACCEPTED', { body: /paymentRail/ }],
      ['transfer-out-in-another-alphabet', 'TRANSFER-ACCEPTED', { body: /[\u05d0-\u05ea]/ }],
    ],
    'GET /agents/me/actions/:actionId': [['read-of-an-action', 'ACTION-READ-STATUS']],
    'GET /agents/me/actions': [['list-of-actions', 'ACTION-READ-STATUS']],
    'POST /agents/:agentId/actions/:actionId/approve': [['approval', 'ACTION-APPROVE-APPROVES']],
    'POST /agents/:agentId/actions/:actionId/reject': [
      ['rejection', 'ACTION-REJECT-REJECTS'],
      ['rejection-with-a-reason', 'ACTION-REJECT-REJECTS', { body: /reason/ }],
    ],
    'POST /auth/credentials': [
      ['registration-of-email-otp', 'CREDENTIAL-CREATE-EMAIL-OTP', { signed: false, body: /"EMAIL_OTP"/ }],
      ['registration-of-sms-otp', 'CREDENTIAL-CREATE-SMS-OTP', { signed: false, body: /"SMS_OTP"/ }],
      ['registration-of-oauth', 'CREDENTIAL-CREATE-OAUTH', { signed: false, body: /"OAUTH"/ }],
      ['registration-of-passkey', 'CREDENTIAL-CREATE-PASSKEY', { signed: false, body: /"PASSKEY"/ }],
      ['registration-in-another-alphabet', 'CREDENTIAL-CREATE-STATUS', { body: /[\u4e00-\u9fff]/ }],
      ['retry-of-a-registration', 'RETRY-CREDENTIAL-CREATE', { signed: true }],
      ['retry-for-sms-otp', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"SMS_OTP"/ }],
      ['retry-for-oauth', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"OAUTH"/ }],
      ['retry-for-passkey', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"PASSKEY"/ }],
      ['retry-for-email-otp', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"EMAIL_OTP"/ }],
    ],
    'GET /auth/credentials': [['list-of-credentials', 'CREDENTIAL-LIST-STATUS']],
    'DELETE /auth/credentials/:credentialId': [
      ['revocation', 'RETRY-CREDENTIAL-REVOKE', { signed: false }],
      ['retry-of-a-revocation', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true }],
      ['revocation-of-email-otp', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'EMAIL_OTP' }],
      [
        'retry-of-a-revocation-of-email-otp',
        'CREDENTIAL-REVOKE-COMPLETES',
        { signed: true, type: 'EMAIL_OTP' },
      ],
      ['revocation-of-sms-otp', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'SMS_OTP' }],
      ['retry-of-a-revocation-of-sms-otp', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'SMS_OTP' }],
      ['revocation-of-oauth', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'OAUTH' }],
      ['retry-of-a-revocation-of-oauth', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'OAUTH' }],
      ['revocation-of-passkey', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'PASSKEY' }],
      ['retry-of-a-revocation-of-passkey', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'PASSKEY' }],
    ],
    'POST /auth/credentials/:credentialId/challenge': [
      ['challenge-of-email-otp', 'CHALLENGE-EMAIL-OTP-NO-BODY', { type: 'EMAIL_OTP' }],
      ['challenge-of-sms-otp', 'CHALLENGE-STATUS', { type: 'SMS_OTP' }],
      ['challenge-of-passkey', 'CHALLENGE-STATUS', { type: 'PASSKEY' }],
    ],
    'POST /auth/credentials/:credentialId/verify': [
      ['verification-of-email-otp', 'VERIFY-EMAIL-OTP-ACCEPTED', { type: 'EMAIL_OTP', signed: false }],
      ['retry-of-email-otp', 'VERIFY-EMAIL-OTP-ACCEPTED', { type: 'EMAIL_OTP', signed: true }],
      ['verification-of-sms-otp', 'VERIFY-SMS-OTP-FLOW', { type: 'SMS_OTP', signed: false }],
      ['retry-of-sms-otp', 'VERIFY-SMS-OTP-FLOW', { type: 'SMS_OTP', signed: true }],
      ['verification-of-oauth', 'VERIFY-OAUTH-ACCEPTED', { type: 'OAUTH' }],
      ['verification-of-passkey', 'VERIFY-PASSKEY-ACCEPTED', { type: 'PASSKEY' }],
    ],
    'POST /auth/sessions/:sessionId/refresh': [
      ['refresh', 'RETRY-SESSION-REFRESH', { signed: false }],
      ['retry-of-a-refresh', 'SESSION-REFRESH-COMPLETES', { signed: true }],
    ],
    'DELETE /auth/sessions/:sessionId': [
      ['end-of-a-session', 'RETRY-SESSION-REVOKE', { signed: false }],
      ['retry-of-the-end-of-a-session', 'SESSION-REVOKE-COMPLETES', { signed: true }],
    ],
    'POST /internal-accounts/:accountId/export': [
      ['first-call-of-an-export', 'RETRY-WALLET-EXPORT', { signed: false }],
      ['export', 'WALLET-EXPORT-COMPLETES', { signed: true }],
    ],
    'PATCH /internal-accounts/:accountId': [
      ['first-call-of-privacy', 'RETRY-WALLET-PRIVACY', { signed: false }],
      ['privacy', 'WALLET-PRIVACY-COMPLETES', { signed: true }],
    ],
    'POST /customers': [
      ['creation-of-a-customer', 'CUSTOMER-DUE-DILIGENCE-OPTIONAL'],
      ['creation-with-due-diligence', 'CUSTOMER-DUE-DILIGENCE-ACCEPTED', { body: /sourceOfFunds/ }],
    ],
    'PATCH /customers/:customerId': [
      ['update-with-consent', 'CUSTOMER-UPDATE-CONSENT', { body: /endUserTermsConsent/ }],
      ['first-call-for-an-email', 'RETRY-CUSTOMER-EMAIL', { signed: false, body: /"email"/ }],
      ['retry-for-an-email', 'CUSTOMER-EMAIL-COMPLETES', { signed: true }],
    ],
    'POST /verifications': [['verification', 'VERIFICATION-RESOLVE-ERRORS']],
    'POST /customers/external-accounts/:accountId/challenge': [
      ['ownership-challenge', 'ACCOUNT-VERIFY-ACTIVE'],
    ],
    'POST /customers/external-accounts/:accountId/verify': [
      ['ownership-verification', 'ACCOUNT-VERIFY-ACTIVE'],
    ],
    'POST /customers/:customerId/verify-email': [['code-by-email', 'CONTACT-APPLICABLE']],
    'POST /cards': [['issue-of-a-card', 'CARD-KYC-APPROVED']],
    'GET /stablecoins/:stablecoinId/operations': [['list-of-operations', 'STABLECOIN-OPERATIONS-TRACKED']],
    'POST /agents/device-codes/:code/redeem': [['redemption', 'AGENT-DEVICE-CODE-REDEEM']],
    'POST /quotes': [
      ['quote', 'QUOTE-CREATE-ACCEPTED'],
      ['quote-from-account', 'QUOTE-CREATE-ACCEPTED', { body: /"sourceType":"ACCOUNT"/ }],
      ['quote-with-realtime-funding', 'QUOTE-CREATE-ACCEPTED', { body: /REALTIME_FUNDING/ }],
      ['quote-to-an-account', 'QUOTE-CREATE-ACCEPTED', { body: /"destinationType":"ACCOUNT"/ }],
      ['quote-to-an-uma-address', 'QUOTE-CREATE-ACCEPTED', { body: /UMA_ADDRESS/ }],
      ['quote-of-the-receiving-side', 'QUOTE-CREATE-ACCEPTED', { body: /"RECEIVING"/ }],
      [
        'quote-of-the-receiving-side-to-an-uma-address',
        'QUOTE-CREATE-ACCEPTED',
        { body: /UMA_ADDRESS.*RECEIVING|RECEIVING.*UMA_ADDRESS/s },
      ],
      ['quote-with-a-fee-override', 'QUOTE-FEE-OVERRIDE-ACCEPTED', { body: /platformFeeOverride/ }],
    ],
    'POST /quotes/:quoteId/execute': [['execution', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY']],
    'POST /quotes/:quoteId/authorize': [
      ['authorization', 'SCA-AUTHORIZE-ACCEPTED'],
      ['authorization-by-code', 'SCA-AUTHORIZE-ACCEPTED', { body: /"code"/ }],
      ['authorization-by-passkey', 'SCA-PASSKEY-ACCEPTED', { body: /assertion/i }],
    ],
    'POST /agents/me/quotes': [['quote-of-an-agent', 'QUOTE-CREATE-ACCEPTED']],
    'POST /agents/me/quotes/:quoteId/execute': [['execution-by-an-agent', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY']],
    'POST /sca/login/start': [
      ['start-of-a-login', 'SCA-LOGIN-COMPLETES'],
      ['start-of-a-login-by-passkey', 'SCA-LOGIN-COMPLETES', { body: /PASSKEY/ }],
    ],
    'POST /sca/login/complete': [
      ['login', 'SCA-LOGIN-COMPLETES'],
      ['login-by-passkey', 'SCA-LOGIN-COMPLETES', { body: /assertion/i }],
    ],
    'PATCH /config': [['change-of-the-configuration', 'CONFIG-FEE-BOTH']],
    'POST /customers/:customerId/verify-email/confirm': [['confirmation', 'CONTACT-APPLICABLE']],
    'POST /stablecoins': [['stablecoin', 'STABLECOIN-REGISTER']],
    'POST /stablecoins/:stablecoinId/mints': [['mint', 'STABLECOIN-MINT']],
    'POST /stablecoins/:stablecoinId/burns': [['burn', 'STABLECOIN-BURN']],
  };

/** A fault of the service for each kind of call that obeys: what was done stays done. */
const brokenFaults: readonly Fault[] = Object.entries(BROKEN).flatMap(([operation, kinds]) =>
  kinds.map(([name, breaks, which = {}]) =>
    fault(`${name}-breaks-with-500`, breaks, {
      handleCall: (original) => async (world, call, route) => {
        const reply = await original(world, call, route);
        if (`${route.method} ${route.path}` !== operation || !isMeant(call, which)) return reply;
        throw new Refusal(500, 'INTERNAL_ERROR', 'Something broke on the way.');
      },
    }),
  ),
);

function isMeant(call: Call, { body, signed, type }: Which): boolean {
  const isSigned = Object.keys(call.headers).some((name) => name.endsWith('wallet-signature'));
  return (
    (body === undefined || body.test(call.rawBody.toString())) &&
    (signed === undefined || signed === isSigned) &&
    (type === undefined || credentials.get(call.world, call.params['credentialId'] ?? '')?.type === type)
  );
}

/** How long an answer is kept, in milliseconds. */
const KEPT = 300;

/** Reads that are the same address for everybody, and the rule that holds what they show. */
const READS = [
  ['GET /agents/me', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/actions', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/internal-accounts', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/external-accounts', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/transactions', 'AGENT-ONE-CUSTOMER'],
  ['GET /auth/credentials', 'CREDENTIAL-LIST-ONLY-ACCOUNT'],
] as const;

/** A store of answers that forgets who asked, and for what. */
const keptAnswerFaults: readonly Fault[] = READS.map(([operation, breaks]) => {
  const kept = new WeakMap<World, { readonly reply: Reply; readonly until: number }>();
  return fault(`kept-for-everybody${operation.slice('GET'.length).replace(/\W+/g, '-')}`, breaks, {
    handleCall: (original) => async (world, call, route) => {
      if (`${route.method} ${route.path}` !== operation) return original(world, call, route);
      const known = kept.get(world);
      if (known && performance.now() < known.until) return known.reply;
      const reply = await original(world, call, route);
      kept.set(world, { reply, until: performance.now() + KEPT });
      return reply;
    },
  });
});

const customerOfQuote = (world: World, call: Call) =>
  quotes.get(world, call.params['quoteId'] ?? '')?.customerId;
const caller = (_world: World, call: Call) => call.caller?.id;

/** What of calls at once is taken for one, by the caller, the customer or the account, and the rule that holds that each is done. */
const TAKEN_FOR_ONE: readonly (readonly [
  name: string,
  operation: string,
  whose: (world: World, call: Call) => string | undefined,
  breaks: string,
])[] = [
  ['transfers-in', 'POST /agents/me/transfer-in', caller, 'TRANSFER-DETAILS-AMOUNT-ECHO'],
  [
    'approvals',
    'POST /agents/:agentId/actions/:actionId/approve',
    (_world, { params }) => params['agentId'],
    'ACTION-APPROVE-APPROVES',
  ],
  ['quotes-of-an-agent', 'POST /agents/me/quotes', caller, 'QUOTE-TRANSACTION-ID-STABLE'],
  ['quotes', 'POST /quotes', (_world, call) => customerIn(call), 'QUOTE-TRANSACTION-ID-STABLE'],
  ['executions', 'POST /quotes/:quoteId/execute', customerOfQuote, 'QUOTE-ID-STABLE'],
  ['authorizations', 'POST /quotes/:quoteId/authorize', customerOfQuote, 'QUOTE-ID-STABLE'],
  [
    'challenges',
    'POST /auth/credentials/:credentialId/challenge',
    accountOfCredential,
    'CHALLENGE-PASSKEY-FRESH',
  ],
];

/** A call that arrives while another of its kind is under way gets the answer to that one, and nothing else is done. */
const takenForOneFaults: readonly Fault[] = TAKEN_FOR_ONE.map(([name, operation, whose, breaks]) => {
  const underWay = new Map<string, Promise<Reply>>();
  return fault(`${name}-at-once-are-taken-for-one`, breaks, {
    handleCall: (original) => async (world, call, route) => {
      const id = `${route.method} ${route.path}` === operation ? whose(world, call) : undefined;
      if (id === undefined) return original(world, call, route);
      const first = underWay.get(id);
      if (first) return first;
      const work = (async () => {
        await delay(RACE_MILLISECONDS);
        return original(world, call, route);
      })();
      underWay.set(id, work);
      return work.finally(() => underWay.delete(id));
    },
  });
});

/** The account or the customer that a quote is to be paid from. */
function customerIn({ body }: Call): string | undefined {
  const { source } = isObject(body) ? body : {};
  return isObject(source) ? String(source['accountId'] ?? source['customerId']) : undefined;
}

function accountOfCredential(world: World, { params }: Call): string | undefined {
  return credentials.get(world, params['credentialId'] ?? '')?.accountId;
}

function inLocalTime(presenter: Presenter) {
  return field(presenter, 'expiresAt').mapText((text) =>
    new Date(Date.parse(text) + 3_600_000).toISOString(),
  );
}

/** A service that looks at its records when a call arrives, and changes them a while later without a second look. */
class Race<Seen> {
  readonly #seen = new AsyncLocalStorage<Seen>();
  /** Makes the calls of one operation wait between the look and the change, which they make one after the other. */
  readonly gap: Replacements;

  /** @param operation method and path, with the names of its parameters */
  constructor(operation: string, look: (world: World, call: Call) => Seen) {
    let last: Promise<unknown> = Promise.resolve();
    this.gap = {
      handleCall: (original) => (world, call, route) => {
        if (`${route.method} ${route.path}` !== operation) return original(world, call, route);
        return this.#seen.run(look(world, call), () => {
          const turn = last;
          const work = (async () => {
            await delay(RACE_MILLISECONDS);
            await turn;
            return original(world, call, route);
          })();
          last = work.catch(() => undefined);
          return work;
        });
      },
    };
  }

  /** What this call has seen; undefined in every other call. */
  get seen(): Seen | undefined {
    return this.#seen.getStore();
  }
}

const TRANSFER_OUT = 'POST /agents/me/transfer-out';
const DECIDE = 'POST /agents/:agentId/actions/:actionId';
const statusOfAction = (world: World, call: Call) =>
  actions.get(world, call.params['actionId'] ?? '')?.status;

/** A decision that looks at the action when the call arrives: a move that another has made meanwhile is overwritten. */
const overwriting = (
  race: Race<string | undefined>,
  decision: 'mayApprove' | 'mayReject',
  other: string,
): Replacements => ({
  ...race.gap,
  [decision]: where<BehaviourSet['mayApprove']>(
    ({ status }) => race.seen === 'PENDING_APPROVAL' && status === other,
    undefined,
  ),
  ...anyMoveOf('action'),
});

const balances = (world: World) =>
  new Map(internalAccounts.all(world).map((account) => [account.id, balanceOf(world, account)]));
const funds = new Race(TRANSFER_OUT, balances);
const quotedFunds = new Race('POST /quotes/:quoteId/execute', balances);
/** What an account holds is what it held when the call arrived. */
const heldThen = (race: Race<ReadonlyMap<string, bigint>>): Replacements => ({
  ...race.gap,
  fundsSuffice: (original) => (world, source, amount) => {
    const balance = race.seen?.get(source.id);
    return balance === undefined ? original(world, source, amount) : balance >= amount;
  },
});
const spending = new Race(TRANSFER_OUT, (world, call) => {
  const agent = call.caller as Agent;
  const now = world.clock.now(agent.customerId);
  const periods = (['day', 'month'] as const).map((period) => world.behaviour.startOfPeriod(period, now));
  return new Map(periods.map((since) => [since, world.behaviour.transfersSince(agent, since)]));
});
const approval = new Race(`${DECIDE}/approve`, statusOfAction);
const rejection = new Race(`${DECIDE}/reject`, statusOfAction);
const execution = new Race(
  'POST /quotes/:quoteId/execute',
  (world, call) => quotes.get(world, call.params['quoteId'] ?? '')?.status,
);

const payments = new Race('POST /quotes/:quoteId/execute', (world, call) => {
  const customerId = quotes.get(world, call.params['quoteId'] ?? '')?.customerId ?? '';
  return new Map([[customerId, world.behaviour.executedToday(customerId)]]);
});

const authorization = new Race(
  'POST /quotes/:quoteId/authorize',
  (world, call) => quotes.get(world, call.params['quoteId'] ?? '')?.challenge,
);

/** Takes the amount, whether or not it is there. */
const overdrawn = () => (world: World, action: AgentAction) => {
  const { amount, currency, sourceAccountId: from } = action.transfer!;
  world.ledger.overdraw({ from, to: held(action.id), amount, currency, reason: action.id });
};

/** What is wrong with whole calls. */
export const callFaults: readonly Fault[] = [
  ...brokenFaults,
  ...keptAnswerFaults,
  ...takenForOneFaults,

  // What goes wrong around a service: time zones.
  fault('quote-expires-in-local-time', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY', inLocalTime('presentQuote')),
  fault('session-expires-in-local-time', 'SESSION-VALID-UNTIL-EXPIRY', inLocalTime('presentSession')),
  fault('request-expires-in-local-time', 'RETRY-VALID-UNTIL-EXPIRY', inLocalTime('presentRequest')),

  // Calls at the same moment that do not see each other. Those that come one after another meet a service without fault.
  fault('authorizations-race', 'SCA-PROOF-OF-EARLIER-CHALLENGE', {
    ...authorization.gap,
    challengeMatches: where((_challenge, sent) => sent === authorization.seen?.nonce, true),
  }),
  fault('approved-transfer-overdraws', 'TRANSFER-FUNDS-SPENT-ONCE', {
    ...within('beginExecution', { fundsSuffice: yes, moveMoney: overdrawn }),
  }),
  fault('funds-race', 'TRANSFER-FUNDS-SPENT-ONCE', { ...heldThen(funds), moveMoney: overdrawn }),
  fault('quote-funds-race', 'TRANSFER-FUNDS-SPENT-ONCE', {
    ...heldThen(quotedFunds),
    startQuote: () => (world, quote) => {
      const { totalSendingAmount: amount, sendingCurrency: currency, id: reason } = quote;
      world.ledger.overdraw({ from: sourceAccountId(quote)!, to: held(reason), amount, currency, reason });
      setQuoteStatus(world, quote, 'PROCESSING');
    },
  }),
  fault('daily-limit-race', 'TRANSFER-SPENDING-LIMIT-CUMULATIVE', {
    ...spending.gap,
    transfersSince: (original) => (world, agent, since) =>
      spending.seen?.get(since) ?? original(world, agent, since),
  }),
  fault('approval-race', 'ACTION-APPROVE-ONLY-PENDING', overwriting(approval, 'mayApprove', 'REJECTED')),
  fault(
    'rejection-race',
    ['ACTION-REJECT-ONLY-PENDING', 'ACTION-REJECT-NOT-EXECUTED', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    overwriting(rejection, 'mayReject', 'APPROVED'),
  ),
  fault('approvals-race', 'ACTION-APPROVE-MONEY-ONCE', overwriting(approval, 'mayApprove', 'APPROVED')),
  ...(
    [
      ['daily-volume-race', 'LIMIT-DAILY-VOLUME', 'withinDailyVolume'],
      ['velocity-race', 'LIMIT-VELOCITY', 'withinVelocity'],
    ] as const
  ).map(([name, rule, limit]) =>
    fault(name, rule, {
      ...payments.gap,
      ...within(limit, {
        executedToday: (original) => (world, id) => payments.seen?.get(id) ?? original(world, id),
      }),
    }),
  ),
  fault('quote-executions-race', 'QUOTE-DEBIT-IS-TOTAL', {
    ...execution.gap,
    quoteOpen: where(() => execution.seen === 'PENDING', undefined),
    ...anyMoveOf('quote', 'transaction'),
  }),
];
