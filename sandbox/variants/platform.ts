import { externalAccounts, setAccountStatus } from '../areas/accounts/records.ts';
import { asking, giving, answering, answeringWith, telling, where, coded } from '../areas/replacements.ts';
import { providerAccounts } from '../areas/platform/records.ts';
import { noContent } from '../server/area.ts';
import { isObject, type JsonObject, textOf } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { mintId } from '../world/world.ts';
import type { Choices } from './index.ts';

/** Long enough to be seen by a caller that reads at once, in milliseconds. */
const LATER = 30;

const OWNERSHIP = 'POST /customers/external-accounts/:accountId/verify';

const CHALLENGED = 'OWNERSHIP_CHALLENGE_ISSUED';

/** What mints with a link are refused with. */
const wrongLinks = new Map<string, unknown>();

/** Until when reads show an account as it was. */
const readsFollow = new WeakMap<object, number>();

/** What a service may do otherwise with accounts, customers, platforms and events. */
export const platformChoices: Choices = {
  'failed-ownership': {
    open: 'How a failed verification attempt is answered is not shown; the account becomes UNVERIFIED.',
    'answers-400': {
      ...answering(OWNERSHIP, (reply) =>
        isObject(reply.body) && reply.body['status'] === 'UNVERIFIED'
          ? refuse(new Refusal(400, 'INVALID_INPUT', 'The signature does not verify.'))
          : reply,
      ),
    },
  },
  'ownership-signature': {
    open: 'What is no signature may be an invalid request, and no attempt.',
    'read-first': {
      ownershipProven: (original) => (world, account, challenge, signature) =>
        /^0*$/.test(signature)
          ? refuse(new Refusal(400, 'INVALID_INPUT', 'This is no signature.'))
          : original(world, account, challenge, signature),
    },
  },
  'ownership-answer': {
    open: 'The answer to the ownership verification is not shown.',
    'empty-object': answeringWith(OWNERSHIP, () => ({})),
    'no-content': answering(OWNERSHIP, noContent),
    'is-ahead-of-reads': {
      ...answeringWith(OWNERSHIP, (body, world) => {
        const account = externalAccounts.get(world, textOf(body['id']));
        if (account) readsFollow.set(account, performance.now() + LATER);
        return body;
      }),
      presentExternalAccount: (original) => (world, account) =>
        performance.now() < (readsFollow.get(account) ?? 0)
          ? { ...original(world, account), status: 'PENDING_OWNERSHIP_VERIFICATION' }
          : original(world, account),
    },
  },
  'contact-not-applicable': {
    open: 'The codes of 409 are not shown.',
    'code-of-its-own': { refuseContact: coded('CONTACT_VERIFICATION_NOT_REQUIRED', 409) },
  },
  'verification-status': {
    open: 'The answer to POST /verifications is not shown beyond RESOLVE_ERRORS and its entries.',
    created: { ...answering('POST /verifications', (reply) => ({ ...reply, status: 201 })) },
    'called-status': {
      ...answeringWith('POST /verifications', ({ verificationStatus, ...rest }) => ({
        ...rest,
        status: verificationStatus,
      })),
    },
  },
  'verification-entries': {
    open: 'How an entry says what is wrong is not shown.',
    'are-sentences': {
      presentProblems: () => (_world, problems) =>
        problems.map((path, at) => ({
          type: 'MISSING_FIELD',
          description: at === 0 ? `We still need ${path}.` : 'Something more is missing.',
        })),
    },
  },
  'config-answer': {
    open: 'The answer to PATCH /config is not shown.',
    'empty-object': answeringWith('PATCH /config', () => ({})),
    'no-content': answering('PATCH /config', noContent),
  },
  'stablecoin-link-of-another-platform': {
    open: 'It is not found (404), or not usable by this platform (400).',
    'is-invalid': {
      providerAccountFor: (original) => (world, platformId, named) => {
        const link = providerAccounts.get(world, String(named));
        return link && link.platformId !== platformId
          ? refuse(new Refusal(400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'This link is not yours.'))
          : original(world, platformId, named);
      },
    },
  },
  'stablecoin-links': {
    open: 'Whether the link to a provider is looked at when a coin is registered or when it is minted is not shown.',
    'are-looked-at-by-mints': {
      providerAccountFor: (original) => (world, platformId, named) => {
        try {
          return original(world, platformId, named);
        } catch (error) {
          const id = mintId(world, 'StablecoinProviderAccount');
          wrongLinks.set(id, error);
          return { id, platformId, status: 'ACTIVE' };
        }
      },
      issueStablecoin: (original) => (world, coin, type, amount) => {
        const wrong = wrongLinks.get(coin.providerAccountId);
        if (wrong) throw wrong as Error;
        return original(world, coin, type, amount);
      },
    },
  },
  'stablecoin-answers': {
    open: 'The answers to register, mint and burn are not shown.',
    accepted: answering(/^POST \/stablecoins/, (reply) => ({ ...reply, status: 202 })),
    ok: answering(/^POST \/stablecoins/, (reply) => ({ ...reply, status: 200 })),
  },
  'settled-operations': {
    open: 'The statuses of a stablecoin operation are not shown.',
    'called-completed': {
      presentIssue: (original) => (world, operation) => {
        const shown = original(world, operation);
        return { ...shown, status: shown['status'] === 'SETTLED' ? 'COMPLETED' : 'IN_PROGRESS' };
      },
    },
  },
  'rate-cache': {
    open: 'Exchange rates are cached for about five minutes.',
    'four-minutes': { rateCacheTime: () => () => 240_000 },
    'six-minutes': { rateCacheTime: () => () => 360_000 },
  },
  'webhook-signature': {
    open: 'The signature of events is not shown.',
    bare: { presentSignature: () => (_world, signature) => signature },
  },
  'card-event-suffixes': {
    open: 'The suffixes of CARD_TRANSACTION are not shown.',
    'all-updated': {
      tell: asking((id, type, data) => [id, type.replace(/^(CARD_TRANSACTION)\..*/, '$1.UPDATED'), data]),
    },
  },
  'event-payload': {
    open: 'The envelope of events is not shown, nor what refund information is.',
    flat: {
      presentEvent: giving(({ data, id: eventId, ...envelope }, _world, _id, type) => {
        const payload = isObject(data) ? data : {};
        const account = type.startsWith('EXTERNAL_ACCOUNT') ? { externalAccountId: payload['id'] } : {};
        return { ...account, ...payload, ...envelope, eventId };
      }),
      presentRefundEvent: giving(({ refund: shown }) => {
        const { reference, status } = shown as JsonObject;
        return { reference, refundStatus: status };
      }),
    },
    'before-and-after': telling(/^EXTERNAL_ACCOUNT/, (current) => ({
      previous: { id: current['id'], status: 'PENDING_OWNERSHIP_VERIFICATION' },
      current,
    })),
  },
  'ownership-on-its-way': {
    open: 'Other states and transitions of an external account are not shown.',
    'told-too': {
      settleOwnership: (original) => (world, account, holds) => {
        const { status } = account;
        setAccountStatus(world, account, 'OWNERSHIP_VERIFICATION_IN_REVIEW');
        account.status = status;
        original(world, account, holds);
      },
    },
  },
  'ownership-challenge': {
    open: 'Other states of an external account are not shown, nor whether asking for a challenge leads to one.',
    'has-a-state-of-its-own': {
      afterOwnershipChallenge: () => (world, account) => setAccountStatus(world, account, CHALLENGED),
      awaitsOwnership: where((account) => account.status === CHALLENGED, undefined),
      endLiveness: (original) => (world, account, holds) => {
        if (account.status === CHALLENGED) world.behaviour.settleLiveness(account, holds);
        else original(world, account, holds);
      },
      ownershipNeeded: (original) => (world, status, payment) =>
        original(world, status === CHALLENGED ? 'PENDING_OWNERSHIP_VERIFICATION' : status, payment),
    },
  },
  'event-delivery': {
    open: 'When an event is delivered is not shown.',
    later: {
      sendLater: (original) => (world, url, send) =>
        void setTimeout(() => original(world, url, send), 60).unref(),
    },
    'in-any-order': {
      sendLater: (original) => (world, url, send) =>
        void setTimeout(() => original(world, url, send), Math.random() * 120).unref(),
    },
    'again-in-an-envelope-of-its-own': {
      tell: (original) => (world, id, type, data) => {
        original(world, id, type, data);
        original(world, id, type, data);
      },
    },
  },
};
