import { AsyncLocalStorage } from 'node:async_hooks';
import { externalAccounts, internalAccounts } from '../areas/accounts/records.ts';
import { agents } from '../areas/agents/records.ts';
import { type Replacements, transferSchema } from '../areas/behaviour.ts';
import {
  type Credential,
  type CredentialType,
  credentials,
  type Session,
  sessions,
  type SignedRequest,
} from '../areas/credentials/records.ts';
import { customers } from '../areas/customers/records.ts';
import { CARD_STEPS, mainPlatform, platforms, stablecoins } from '../areas/platform/records.ts';
import type { Call, Route } from '../server/area.ts';
import { giving, answeringWith, coded, isAmong, no, nothing, where, yes } from '../areas/replacements.ts';
import { refuse } from '../server/refusal.ts';
import type { AgentAction } from '../areas/transfers/records.ts';
import { Table } from '../world/table.ts';
import { mintId, type World } from '../world/world.ts';
import { componentSchema } from '../server/contract-schemas.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { agentMeantBy } from './agents/access.ts';
import { transactionWhen } from './agents/action-fields.ts';
import { decidedReadAsPending, decidedShow } from './agents/decisions.ts';
import { servesAThirdTime } from './credentials/retry.ts';
import { anyMoveOf, type Behave, breaking, fault, type Fault, refused, shown, within } from './fault.ts';

/** Operations of the signed retry, by what people call them. */
const SIGNED = {
  registration: 'POST /auth/credentials',
  revocation: 'DELETE /auth/credentials/:credentialId',
  login: 'POST /auth/credentials/:credentialId/verify',
  refresh: 'POST /auth/sessions/:sessionId/refresh',
  'end-of-a-session': 'DELETE /auth/sessions/:sessionId',
  export: 'POST /internal-accounts/:accountId/export',
  privacy: 'PATCH /internal-accounts/:accountId',
  email: 'PATCH /customers/:customerId',
} as const;

const MINUTE = 60_000;
/** The uuid of no record. */
const OTHER = '00000000-0000-4000-8000-000000000000';

/** Another time. @param by milliseconds */
const moved = (time: Json | undefined, by: number): string =>
  new Date(Date.parse(String(time)) + by).toISOString();

/** Replacements that hold while operations are at work. */
function during(operation: string | RegExp, inner: Replacements): Replacements {
  const store = new AsyncLocalStorage<true>();
  const meanwhile = ([name, replace]: [string, (original: Behave) => Behave]) => [
    name,
    (original: Behave): Behave => {
      const other = replace(original);
      return (...args) => (store.getStore() ? other : original)(...args);
    },
  ];
  return {
    ...Object.fromEntries((Object.entries(inner) as [string, (original: Behave) => Behave][]).map(meanwhile)),
    handleCall: (original) => (world, call, route) =>
      isAmong(route, operation)
        ? store.run(true, () => original(world, call, route))
        : original(world, call, route),
  };
}

/** Once such a request is done, keys that nobody knows sign for its account. */
function anyKeySignsAfter(what: string, isIt: (request: SignedRequest) => boolean): Fault {
  const marked = new Set<string>();
  return fault(`any-key-signs-after-${what}`, 'STAMP-UNKNOWN-KEY', {
    useRequest: (original) => (world, request) => {
      original(world, request);
      if (isIt(request)) for (const id of request.signers.accountIds) marked.add(id);
    },
    maySign: (original) => (world, signers, publicKey) => {
      const isKnown = sessions.all(world).some((session) => session.publicKey === publicKey);
      const isFree = signers.key === undefined && signers.accountIds.some((id) => marked.has(id));
      return isFree && !isKnown ? undefined : original(world, signers, publicKey);
    },
  });
}

/** What may be wrong with the signed retry of one operation. */
const retryOf = (what: string, operation: string): readonly Fault[] => {
  const isIt = ({ print }: { readonly print: { readonly operation: string } }) =>
    print.operation === operation;
  return [
    fault(`request-of-${what}-expires-early`, 'RETRY-VALID-UNTIL-EXPIRY', {
      requestEndsAt: giving((usual, world, request) => usual - (isIt(request) ? MINUTE : 0)),
    }),
    fault(`${what}-without-request-id-called-unauthorized`, 'RETRY-REQUEST-ID-MISSING', {
      ...during(operation, { refuseMissingRequestId: coded('UNAUTHORIZED') }),
    }),
    fault(`${what}-without-signature-called-unauthorized`, 'STAMP-MISSING', {
      ...during(operation, { refuseMissingSignature: coded('UNAUTHORIZED') }),
    }),
    fault(`stamp-of-${what}-unread`, ['STAMP-INVALID', 'STAMP-ALTERED-BYTES-REFUSED'], {
      ...during(operation, { stampVerifies: yes }),
    }),
    fault(
      `malformed-stamp-of-${what}-called-invalid`,
      ['STAMP-MALFORMED-ENCODING', 'STAMP-MALFORMED-STRUCTURE', 'STAMP-MALFORMED-FIELDS'],
      during(operation, { refuseMalformedSignature: coded('WALLET_SIGNATURE_INVALID') }),
    ),
    // What was deleted is not there any more when it is asked for again.
    ...(operation.startsWith('DELETE ')
      ? []
      : [
          fault(`request-of-${what}-serves-twice`, 'RETRY-REQUEST-ID-SINGLE-USE', {
            useRequest: where(isIt, undefined),
          }),
          fault(
            `request-of-${what}-serves-a-third-time`,
            'RETRY-REQUEST-ID-SINGLE-USE',
            servesAThirdTime(isIt),
          ),
          fault(
            `request-of-${what}-takes-any-body`,
            // Of a registration it is the body alone that names the account.
            ['RETRY-SAME-BODY', ...(what === 'registration' ? ['RETRY-BOUND-TO-ACCOUNT'] : [])],
            { sameBody: where(isIt, true) },
          ),
        ]),
    // A login is signed by the key that came with its code, and ends with it.
    ...(what === 'login'
      ? []
      : [
          anyKeySignsAfter(what, isIt),
          fault(`request-of-${what}-never-expires`, 'RETRY-EXPIRED', {
            requestEndsAt: where(isIt, Infinity),
          }),
          fault(`request-of-any-operation-serves-${what}`, 'RETRY-BOUND-TO-OPERATION', {
            requestFits: where(
              ({ print }, retried) => retried.operation === operation && print.operation !== operation,
              undefined,
            ),
          }),
          fault(`${what}-signed-by-any-account`, 'STAMP-OTHER-ACCOUNT-SESSION', {
            ...during(operation, { sessionBelongs: yes }),
          }),
          fault(
            `${what}-signed-by-a-revoked-session`,
            ['STAMP-REVOKED-SESSION', 'CREDENTIAL-REVOKE-ENDS-SESSIONS'],
            { ...during(operation, { sessionIsRevoked: no }) },
          ),
          fault(
            `${what}-signed-by-any-key`,
            [
              'STAMP-UNKNOWN-KEY',
              'STAMP-OTHER-ACCOUNT-SESSION',
              'STAMP-EXPIRED-SESSION',
              'STAMP-REVOKED-SESSION',
              'CREDENTIAL-REVOKE-ENDS-SESSIONS',
              'CREDENTIAL-REVOKE-OWN-SESSION',
            ],
            {
              ...during(operation, {
                maySign: where(({ key }, publicKey) => key === undefined && publicKey !== '', undefined),
              }),
            },
          ),
        ]),
  ];
};

/** What lists keep. */
const revoked = new Table<Credential>();

/** What may be wrong with credentials of one type, and with their sessions. */
const credentialsOfType = (type: CredentialType): readonly Fault[] => {
  const what = type.toLowerCase().replace('_', '-');
  const isOne = (one: Pick<Credential | Session, 'type'>) => one.type === type;
  return [
    fault(`stamps-of-${what}-sessions-unread`, ['STAMP-INVALID', 'STAMP-ALTERED-BYTES-REFUSED'], {
      judgeStamp: (original) => (world, request, stamp) =>
        world.behaviour.sessionOfKey(request.signers, stamp.publicKey)?.type === type
          ? world.behaviour.maySign(request.signers, stamp.publicKey)
          : original(world, request, stamp),
    }),
    fault(`revoked-${what}-logs-in`, 'CREDENTIAL-REVOKE-ENDS-LOGIN', {
      removeCredential: (original) => (world, credential) => {
        if (!isOne(credential)) return original(world, credential);
        const accountId = mintId(world, 'InternalAccount');
        credentials.put(world, credential.id, { ...credential, accountId });
      },
    }),
    fault(`list-keeps-revoked-${what}`, 'CREDENTIAL-LIST-DROPS-REVOKED', {
      removeCredential: (original) => (world, credential) => {
        if (isOne(credential)) revoked.put(world, credential.id, credential);
        original(world, credential);
      },
      listedCredentials: (original) => (world, account) => [
        ...original(world, account),
        ...revoked.all(world).filter(({ accountId }) => accountId === account.id),
      ],
    }),
    fault(`end-of-${what}-sessions-without-effect`, 'STAMP-REVOKED-SESSION', {
      endSession: where(isOne, undefined),
    }),
    fault(`${what}-sessions-sign-for-ever`, 'STAMP-EXPIRED-SESSION', {
      sessionEndsAt: where(isOne, Infinity),
    }),
    fault(`${what}-sessions-survive-their-credential`, 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
      sessionsToEnd: where(isOne, []),
    }),
    fault(`${what}-revoked-by-its-own-session`, 'CREDENTIAL-REVOKE-OWN-SESSION', {
      isOtherCredential: where((_signers, session) => isOne(session), true),
    }),
    fault(
      `${what}-missing-in-lists`,
      [
        'CREDENTIAL-LIST-COMPLETE',
        'CREDENTIAL-CREATE-LISTED',
        ...(type === 'EMAIL_OTP' ? ['CREDENTIAL-EMAIL-OTP-BORN'] : []),
      ],
      { listedCredentials: giving((usual) => usual.filter((one) => !isOne(one))) },
    ),
    fault(`${what}-added-unsigned`, 'RETRY-CREDENTIAL-CREATE', {
      needsNoSignature: where((_account, kind) => isOne(kind), true),
    }),
    fault(`${what}-revoked-unsigned`, ['RETRY-CREDENTIAL-REVOKE', 'CREDENTIAL-REVOKE-ONLY'], {
      askForSignature: (original) => (world, print, operation) =>
        print.operation === SIGNED.revocation && operation.type === type
          ? operation.complete()
          : original(world, print, operation),
    }),
    ...(type === 'PASSKEY' ? [] : (['registration', 'revocation'] as const)).map((operation) =>
      fault(`stamp-of-a-${operation}-of-${what}-unread`, 'STAMP-ALTERED-BYTES-REFUSED', {
        judgeStamp: where(
          (request) => request.print.operation === SIGNED[operation] && request.type === type,
          undefined,
        ),
      }),
    ),
    fault(`${what}-registered-on-another-account`, 'CREDENTIAL-CREATE-ECHO', {
      ...answeringWith('POST /auth/credentials', (body, world) =>
        body['type'] === type ? { ...body, accountId: mintId(world, 'InternalAccount') } : body,
      ),
    }),
    fault(`${what}-sessions-end-early`, 'SESSION-VALID-UNTIL-EXPIRY', {
      sessionEndsAt: giving((usual, world, session) => usual - (isOne(session) ? 5 * MINUTE : 0)),
    }),
    fault(
      `${what}-sessions-sign-for-any-account`,
      ['STAMP-OTHER-ACCOUNT-SESSION', 'WALLET-PAYMENT-NEEDS-SESSION'],
      { sessionBelongs: where(isOne, true) },
    ),
    ...(type === 'EMAIL_OTP'
      ? [
          fault('email-otp-session-signs-nothing', 'VERIFY-EMAIL-OTP-SESSION-KEY', {
            sessionIsLive: (original) => (world, session) =>
              isOne(session)
                ? refuse(world.behaviour.refuseSigner('Weak session.'))
                : original(world, session),
          }),
        ]
      : []),
    fault(`${what}-sessions-not-refreshed`, 'SESSION-REFRESH-COMPLETES', {
      mayRefresh: (original) => (world, session) =>
        isOne(session) ? refused('Sessions of this type are not refreshed.') : original(world, session),
    }),
  ];
};

/** What may be wrong with the actions of one type. */
const actionsOfType = (type: AgentAction['type']): readonly Fault[] => {
  const what = type.toLowerCase().replaceAll('_', '-');
  const isOne = (action: AgentAction) => action.type === type;
  const instead = (change: (object: JsonObject) => JsonObject): Replacements => ({
    presentAction: giving((object, world, action) =>
      isOne(action) ? { ...object, ...change(object) } : object,
    ),
  });
  return [
    fault(
      `${what}-shows-another-agent`,
      'ACTION-AGENT-ID-CALLER',
      instead(() => ({ agentId: `Agent:${OTHER}` })),
    ),
    fault(`${what}-shows-another-customer`, 'ACTION-CUSTOMER-ID-CALLER', {
      ...instead(() => ({ customerId: `Customer:${OTHER}` })),
    }),
    fault(`${what}-shows-the-services-own-customer-id`, 'ACTION-PLATFORM-CUSTOMER-ID-CALLER', {
      ...instead(({ customerId }) => ({ platformCustomerId: customerId })),
    }),
    fault(`${what}-created-in-local-time`, 'ACTION-CREATED-AT-SUBMISSION', {
      ...instead(({ createdAt, updatedAt }) => ({
        createdAt: moved(createdAt, 120 * MINUTE),
        updatedAt: moved(updatedAt, 120 * MINUTE),
      })),
    }),
    fault(`approval-of-${what}-leaves-pending`, 'ACTION-APPROVE-APPROVES', {
      approveAction: where(isOne, undefined),
    }),
    fault(`rejection-of-${what}-leaves-pending`, 'ACTION-REJECT-REJECTS', {
      rejectAction: where(isOne, undefined),
    }),
    fault(
      `rejection-reason-of-${what}-lost`,
      'ACTION-REJECT-REASON',
      instead(() => ({ rejectionReason: undefined })),
    ),
    fault(`rejected-${what}-can-be-approved`, 'ACTION-APPROVE-ONLY-PENDING', {
      mayApprove: where((action) => isOne(action) && action.status === 'REJECTED', undefined),
      ...anyMoveOf('action'),
    }),
    fault(
      `approved-${what}-can-be-rejected`,
      ['ACTION-REJECT-ONLY-PENDING', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
      {
        mayReject: where((action) => isOne(action) && action.status === 'APPROVED', undefined),
        ...anyMoveOf('action'),
      },
    ),
    fault(`id-of-${what}-changes-on-decision`, 'ACTION-ID-STABLE', {
      ...decidedShow('id', (_world, action) => (isOne(action) ? `AgentAction:${OTHER}` : undefined)),
    }),
    fault(`created-at-of-${what}-changes-on-decision`, 'ACTION-CREATED-AT-STABLE', {
      ...decidedShow('createdAt', (world, action) =>
        isOne(action) ? world.behaviour.presentTime(action.createdAt - MINUTE) : undefined,
      ),
    }),
    fault(`read-shows-the-first-status-of-${what}`, 'ACTION-READ-STATUS', decidedReadAsPending(isOne)),
    fault(
      `pending-${what}-has-a-transaction`,
      'ACTION-NO-TRANSACTION-WHILE-PENDING',
      transactionWhen('PENDING_APPROVAL', isOne),
    ),
  ];
};

/** Operations of agents. */
const AGENT_CALLS = {
  'transfer-out': 'POST /agents/me/transfer-out',
  'transfer-in': 'POST /agents/me/transfer-in',
  'agent-itself': 'GET /agents/me',
  'list-of-actions': 'GET /agents/me/actions',
  'read-of-an-action': 'GET /agents/me/actions/:actionId',
  'list-of-internal-accounts': 'GET /agents/me/internal-accounts',
  'list-of-external-accounts': 'GET /agents/me/external-accounts',
  'list-of-transactions': 'GET /agents/me/transactions',
  'quote-of-an-agent': 'POST /agents/me/quotes',
  'execution-by-an-agent': 'POST /agents/me/quotes/:quoteId/execute',
} as const;

/** Operations of platforms, outside of credentials. */
const PLATFORM_CALLS = {
  approval: 'POST /agents/:agentId/actions/:actionId/approve',
  rejection: 'POST /agents/:agentId/actions/:actionId/reject',
  execution: 'POST /quotes/:quoteId/execute',
  'update-of-a-customer': 'PATCH /customers/:customerId',
  'end-user-terms': 'GET /customers/end-user-terms',
  'creation-of-a-quote': 'POST /quotes',
  'authorization-of-a-quote': 'POST /quotes/:quoteId/authorize',
  'creation-of-a-customer': 'POST /customers',
  'update-of-the-configuration': 'PATCH /config',
  'login-of-a-customer': 'POST /sca/login/complete',
  'start-of-a-login': 'POST /sca/login/start',
  'read-of-a-quote': 'GET /quotes/:quoteId',
  'read-of-a-transaction': 'GET /transactions/:transactionId',
  'read-of-a-customer': 'GET /customers/:customerId',
  'read-of-an-external-account': 'GET /customers/external-accounts/:accountId',
  'challenge-of-an-external-account': 'POST /customers/external-accounts/:accountId/challenge',
  'verification-of-a-customer': 'POST /verifications',
  'issue-of-a-card': 'POST /cards',
} as const;

/** Operations on what belongs to one platform. */
const OWNED_CALLS = {
  execution: PLATFORM_CALLS.execution,
  'creation-of-a-quote': PLATFORM_CALLS['creation-of-a-quote'],
  'authorization-of-a-quote': PLATFORM_CALLS['authorization-of-a-quote'],
  'login-of-a-customer': PLATFORM_CALLS['login-of-a-customer'],
  'update-of-a-customer': PLATFORM_CALLS['update-of-a-customer'],
  'read-of-a-quote': PLATFORM_CALLS['read-of-a-quote'],
  'read-of-a-transaction': PLATFORM_CALLS['read-of-a-transaction'],
  'read-of-a-customer': PLATFORM_CALLS['read-of-a-customer'],
  'read-of-an-external-account': PLATFORM_CALLS['read-of-an-external-account'],
  'challenge-of-an-external-account': PLATFORM_CALLS['challenge-of-an-external-account'],
  'verification-of-a-customer': PLATFORM_CALLS['verification-of-a-customer'],
  'issue-of-a-card': PLATFORM_CALLS['issue-of-a-card'],
  'start-of-a-login': PLATFORM_CALLS['start-of-a-login'],
  'code-by-email': 'POST /customers/:customerId/verify-email',
  'ownership-of-an-external-account': 'POST /customers/external-accounts/:accountId/verify',
  'list-of-internal-accounts': 'GET /customers/internal-accounts',
  'list-of-approvals': 'GET /agents/approvals',
  'list-of-credentials': 'GET /auth/credentials',
  'list-of-sessions': 'GET /auth/sessions',
  'challenge-of-a-credential': 'POST /auth/credentials/:credentialId/challenge',
  ...SIGNED,
} as const;

/** A platform without customers is taken for the main one. */
const openTo = (operation: string): Replacements => ({
  identifyCaller: (original) => (world, call, route) => {
    const caller = original(world, call, route);
    const isOther = caller?.kind === 'platform' && caller.id !== mainPlatform(world).id;
    const isOwner = customers.all(world).some(({ platformId }) => platformId === caller?.id);
    return isOther && !isOwner && `${route.method} ${route.path}` === operation
      ? mainPlatform(world)
      : caller;
  },
});

/** Statuses of refusals that tests meet. */
const STATUSES = [400, 401, 403, 404];

/** While a caller of this operation is looked at. */
const atTheDoorOf = (operation: string, inner: Replacements): Replacements =>
  within(
    'identifyCaller',
    inner,
    (_call: Call, route: Route) => `${route.method} ${route.path}` === operation,
  );

const anyAgent = () => (world: World) => agents.all(world).at(-1)!;

/** The secret of one platform is as good as that of another. */
const ofAnyPlatform: NonNullable<Replacements['acceptSecret']> = (original) => (world, _platform, secret) =>
  platforms.all(world).some((one) => original(world, one, secret));

const doors: readonly Fault[] = [
  ...Object.entries(AGENT_CALLS).flatMap(([what, operation]) => [
    fault(`${what}-asks-for-no-token`, 'AUTH-AGENT-NONE', {
      ...atTheDoorOf(operation, { refuseMissingBearer: anyAgent }),
    }),
    fault(`${what}-takes-any-token`, 'AUTH-AGENT-WRONG-TOKEN', {
      ...atTheDoorOf(operation, { refuseUnknownToken: anyAgent }),
    }),
    fault(`${what}-takes-the-platform-for-an-agent`, 'AUTH-AGENT-REFUSES-BASIC', {
      identifyCaller: (original) => (world, call, route) =>
        `${route.method} ${route.path}` === operation && call.headers['authorization']?.startsWith('Basic ')
          ? agentMeantBy(world, call)
          : original(world, call, route),
    }),
  ]),
  ...Object.entries(PLATFORM_CALLS).flatMap(([what, operation]) => [
    fault(`${what}-asks-for-no-credentials`, 'AUTH-PLATFORM-NONE', {
      ...atTheDoorOf(operation, { refuseMissingBasic: () => (world) => mainPlatform(world) }),
    }),
    fault(`${what}-asks-for-no-right-secret`, 'AUTH-PLATFORM-WRONG-SECRET', {
      ...atTheDoorOf(operation, { acceptSecret: yes }),
    }),
    fault(`${what}-takes-the-secret-of-any-platform`, 'AUTH-PLATFORM-WRONG-SECRET', {
      ...atTheDoorOf(operation, { acceptSecret: ofAnyPlatform }),
    }),
  ]),
];

/** Whose the account at one end of a quote is. */
const ownerOf = (world: World, { accountId }: JsonObject) => {
  const id = String(accountId);
  const account = internalAccounts.get(world, id) ?? externalAccounts.get(world, id);
  return account && customers.get(world, account.customerId);
};

/** A destination of another platform is quoted as if it were the customer's. */
const goingToAny: Replacements = {
  receivingParty: (original) => (world, caller, customer, destination) => {
    const owner = ownerOf(world, destination);
    const isOfAnother = owner !== undefined && owner.platformId !== customer.platformId;
    return original(world, caller, isOfAnother ? owner : customer, destination);
  },
};

const openToOthers = [
  ...Object.entries(OWNED_CALLS).map(([what, operation]) =>
    fault(`${what}-open-to-any-platform`, 'AUTH-OTHER-PLATFORM', openTo(operation)),
  ),
  fault('stablecoins-open-to-any-platform', 'AUTH-OTHER-PLATFORM', {
    identifyCaller: (original) => (world, call, route) => {
      const caller = original(world, call, route);
      const coin = stablecoins.get(world, call.params['stablecoinId'] ?? '');
      return coin && caller?.kind === 'platform' ? { ...caller, id: coin.platformId } : caller;
    },
  }),
  ...breaking('AUTH-OTHER-PLATFORM', {
    'events-told-to-every-platform': {
      tell: (original) => (world, customerId, type, data) => {
        original(world, customerId, type, data);
        const seen = new Set([customers.get(world, customerId)?.platformId, mainPlatform(world).id]);
        for (const { id, platformId } of customers.all(world)) {
          if (!seen.has(platformId)) original(world, id, type, data);
          seen.add(platformId);
        }
      },
    },
    'quotes-go-to-accounts-of-any-platform': goingToAny,
    'quotes-come-from-accounts-of-any-platform': {
      ...goingToAny,
      payingParty: (original) => (world, caller, source, destination) => {
        const owner = ownerOf(world, source);
        const asked = caller.kind === 'platform' && owner ? { ...caller, id: owner.platformId } : caller;
        return original(world, asked, source, destination);
      },
    },
  }),
  fault('agents-paused-by-any-platform', 'AGENT-MANAGED-BY-PLATFORM', openTo('PATCH /agents/:agentId')),
];

/** A body of this status that has lost a field. */
const without = (status: number, field: string): Replacements =>
  shown('presentError', ({ [field]: value, ...body }) =>
    (field === 'status' ? value : body['status']) === status
      ? body
      : { ...body, ...(value === undefined ? {} : { [field]: value }) },
  );

const errors = STATUSES.flatMap((status) => [
  fault(`error-${status}-without-message`, 'ERROR-MESSAGE', without(status, 'message')),
  fault(`error-${status}-without-status`, 'ERROR-STATUS', without(status, 'status')),
]);

const events = [
  ...CARD_STEPS.map((step) =>
    fault(`card-${step.toLowerCase().replace('_', '-')}-not-told-at-all`, 'EVENT-CARD-STATES', {
      tellCardChange: where(({ status }) => status === step, undefined),
    }),
  ),
  ...(['PENDING', 'COMPLETED', 'FAILED'] as const).map((state) =>
    fault(`outgoing-refund-${state.toLowerCase()}-not-told`, 'EVENT-OUTGOING-REFUND', {
      tellRefund: where(({ direction, status }) => direction === 'OUTGOING' && status === state, undefined),
    }),
  ),
];

/** Members of a list that are not taken, one at a time, in a transfer-out. */
// SELF may be refused to somebody else's account, so nobody is accused over it.
const PURPOSES = (componentSchema('PurposeOfPayment')['enum'] as string[]).filter((one) => one !== 'SELF');
const purposes = PURPOSES.map((purpose) =>
  fault(`purpose-${purpose.toLowerCase().replaceAll('_', '-')}-unknown`, 'TRANSFER-PURPOSE-ACCEPTED', {
    requestSchema: transferSchema(({ properties }) => {
      const schema = properties['purposeOfPayment']!;
      schema['enum'] = (schema['enum'] as string[]).filter((one) => one !== purpose);
    }),
  }),
);

/** Just below and just above the numbers of the interface, and of what a platform has configured. */
const bounds = [
  fault('token-of-two-minutes-logs-in', 'OIDC-VERIFY-TOO-OLD', { loginTokenIsCurrent: younger(120) }),
  fault('token-of-two-minutes-registers', 'OIDC-CREATE-TOO-OLD', {
    registrationTokenIsCurrent: younger(120),
  }),
  fault('token-of-fifty-seconds-is-too-old', 'OIDC-AGE-WITHIN-LIMIT', {
    tokenIsYoung: giving((usual, world, claims, now) => usual && now / 1000 - Number(claims['iat']) <= 50),
  }),
  ...[20, 25, 50].map((size) =>
    fault(`list-ends-after-${size}`, 'CREDENTIAL-LIST-NOT-PAGINATED', {
      listedCredentials: (original) => (world, account) => original(world, account).slice(0, size),
    }),
  ),
  fault('transaction-size-of-one-unit-more', 'LIMIT-TRANSACTION-SIZE', {
    withinTransactionSize: (original) => (world, payment) =>
      original(world, { ...payment, totalSendingAmount: payment.totalSendingAmount - 1n }),
  }),
  fault('quote-executed-a-minute-late', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    quoteExpired: () => (world, quote) => world.clock.now(quote.customerId) > quote.expiresAt + MINUTE,
  }),
  fault('token-too-old-to-log-in-after-forty-five-seconds', 'OIDC-AGE-WITHIN-LIMIT', {
    loginTokenIsCurrent: (original) => (world, claims, now) =>
      now / 1000 - Number(claims['iat']) > 45
        ? refused('The token is too old.')
        : original(world, claims, now),
  }),
  fault('retry-taken-half-a-minute-late', 'RETRY-EXPIRED', {
    requestEndsAt: (original) => (world, request) => original(world, request) + MINUTE / 2,
  }),
  fault('session-signs-half-a-minute-late', 'STAMP-EXPIRED-SESSION', {
    sessionEndsAt: (original) => (world, session) => original(world, session) + MINUTE / 2,
  }),
  ...breaking('SCA-SESSION-LASTS', { 'session-lasts-179-days': sessionOf(179) }),
  ...breaking('SCA-SESSION-ENDS', { 'session-lasts-181-days': sessionOf(181) }),
];

/** Who pays by a quote of an agent, and whom: nobody looks. */
const agentsPay = (
  [
    ['unready-customer-pays-by-an-agent', 'ERROR-CUSTOMER-NOT-READY', 'customerIsReady'],
    ['any-counterparty-is-paid-by-an-agent', 'ERROR-COUNTERPARTY-NOT-ALLOWED', 'counterpartyAllowed'],
  ] as const
).map(([name, rule, check]) => fault(name, rule, during(/agents.me.quotes/, { [check]: nothing })));

/** Each operation, type, member or state of rules that speak of several, and both sides of each bound. */
export const eachFaults: readonly Fault[] = [
  ...Object.entries(SIGNED).flatMap(([what, operation]) => retryOf(what, operation)),
  ...(['PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP'] as const).flatMap(credentialsOfType),
  ...(['TRANSFER_OUT', 'TRANSFER_IN', 'EXECUTE_QUOTE'] as const).flatMap(actionsOfType),
  ...doors,
  ...openToOthers,
  ...errors,
  ...events,
  ...purposes,
  ...bounds,
  ...agentsPay,
];

function younger(seconds: number): NonNullable<Replacements['loginTokenIsCurrent']> {
  return (original) => (world, claims, now) => {
    if (now / 1000 - Number(claims['iat']) > seconds) original(world, claims, now);
  };
}

function sessionOf(days: number): Replacements {
  const off = (180 - days) * 24 * 60 * MINUTE;
  return {
    scaSessionAlive: (original) => (world, id, sca) => {
      if (sca.sessionExpiresAt === undefined) original(world, id, sca);
      else original(world, id, { ...sca, sessionExpiresAt: sca.sessionExpiresAt - off });
    },
  };
}
