import { giving, answering, where, coded, nothing } from '../areas/replacements.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { quoteMayExecute, setQuoteStatus } from '../areas/quotes/execution.ts';
import type { Quote } from '../areas/quotes/records.ts';
import { challengesFor, issueChallenge } from '../areas/sca/records.ts';
import { refusalOf } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Choices } from './index.ts';

/** Money that comes from outside is asked for at creation, and not before the authorization. */
const isFunded = ({ source }: Quote): boolean => source['sourceType'] === 'REALTIME_FUNDING';

/** A quote from an account is an offer like any other, until it is executed. */
const atExecution: Replacements = {
  quoteNeedsAuthorization: where((quote) => !isFunded(quote), false),
  executeQuote: (original) => (world, quote) => {
    const isDue = quote.status === 'PENDING' && quote.authorizations === 0 && !isFunded(quote);
    if (!isDue || challengesFor(world, quote) === 0) return original(world, quote);
    quoteMayExecute(world, quote);
    setQuoteStatus(world, quote, 'PENDING_AUTHORIZATION');
    quote.challenge = issueChallenge(world, quote);
  },
};

/** What challenges say for their purpose. */
const purposes = (purpose: string | null | undefined): Replacements => ({
  presentChallenge: giving((shown) => ({ ...shown, purpose })),
});

/** What was not proved becomes an offer again, which waits anew when it is executed. */
function offerAgain(world: World, quote: Quote): void {
  if (isFunded(quote)) return;
  delete quote.challenge;
  quote.authorizations = 0;
  setQuoteStatus(world, quote, 'PENDING');
}

/** What a service may do otherwise in strong customer authentication. */
export const scaChoices: Choices = {
  'sca-challenges': {
    open: 'A send may need any number of authorizations; today two, and the count may decrease.',
    one: { usualChallenges: () => () => 1 },
    three: { usualChallenges: () => () => 3 },
  },
  'sca-purposes': {
    open: 'The purpose is informational, its set may grow, and it is omitted when steps are not told apart.',
    unknown: purposes('REGULATORY_STEP_7'),
    null: purposes(null),
    omitted: purposes(undefined),
  },
  'sca-absent-fields': {
    open: 'Options and origins of passkeys are an object or a list, or null.',
    'are-null': {
      presentChallenge: giving((shown) => ({
        ...shown,
        passkeyAssertionOptions: shown['passkeyAssertionOptions'] ?? null,
        passkeyAllowedOrigins: null,
      })),
    },
  },
  'sca-factors': {
    open: 'The full set of factors is not shown.',
    'more-to-choose': {
      presentChallenge: (original) => (world, challenge) => ({
        ...original(world, challenge),
        availableFactors: [...challenge.availableFactors, 'TOTP'],
      }),
    },
  },
  'authorized-quote': {
    open: 'Which status follows PENDING_AUTHORIZATION is not named.',
    'executes-at-once': {
      releaseQuote: (original) => (world, quote) => {
        original(world, quote);
        if (refusalOf(() => quoteMayExecute(world, quote))) return;
        world.behaviour.startQuote(quote);
        world.behaviour.whenQuoteSettles(() =>
          setTimeout(() => world.behaviour.settleQuote(quote), 30).unref(),
        );
      },
    },
  },
  'sca-begins': {
    open: 'Where a quote comes to wait for authorization is not shown: when it is created, or when it is executed.',
    'at-execution': atExecution,
    'at-execution-which-then-goes-on': {
      ...atExecution,
      releaseQuote: (original) => (world, quote) => {
        original(world, quote);
        if (refusalOf(() => quoteMayExecute(world, quote))) return;
        world.behaviour.startQuote(quote);
        world.behaviour.settleQuote(quote);
      },
    },
  },
  'quote-after-a-failed-proof': {
    open: 'What a wrong or late proof does to a quote that came to wait at its execution is not shown.',
    'is-offered-again': {
      ...atExecution,
      afterWrongProof: () => offerAgain,
      failOnExpiredChallenge: () => offerAgain,
    },
  },
  'expired-challenge': {
    open: 'What becomes of a quote whose challenge has expired is not stated beyond the failure reason.',
    'quote-stays': { failOnExpiredChallenge: nothing },
  },
  'wrong-sca-proof': {
    open: 'How a wrong proof is refused is not shown.',
    'answers-403': { refuseScaProof: coded('FORBIDDEN', 403) },
    'answers-422': { refuseScaProof: coded('SCA_PROOF_INVALID', 422) },
  },
  'sca-not-applicable': {
    open: 'The codes of 409 are not shown, apart from SCA_SESSION_REQUIRED.',
    'code-of-its-own': { refuseScaNotApplicable: coded('SCA_NOT_APPLICABLE', 409) },
  },
  'sca-lock': {
    open: 'How many wrong proofs lock an account is not stated.',
    'after-five': { mostFailures: () => () => 5 },
  },
  'sca-login-status': {
    open: 'The status of the answer to a completed login is not shown.',
    created: answering('POST /sca/login/complete', (reply) => ({ ...reply, status: 201 })),
  },
};
