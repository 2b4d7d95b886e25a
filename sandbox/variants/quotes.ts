import { giving, answering, where, coded, nothing } from '../areas/replacements.ts';
import { externalAccounts } from '../areas/accounts/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { traitsOf } from '../areas/customers/records.ts';
import { quotePayoutFails, setQuoteStatus } from '../areas/quotes/execution.ts';
import { VARIABLE_FEE_RATE, variableFee } from '../areas/quotes/rates.ts';
import { noContent, type Reply } from '../server/area.ts';
import { isObject, type Json, type JsonObject } from '../server/json.ts';
import { Refusal, refuse } from '../server/refusal.ts';
import type { Choices } from './index.ts';

const CREATE = /^POST (\/agents\/me)?\/quotes$/;
const EXECUTE = 'POST /quotes/:quoteId/execute';

/** Long enough to be seen by a caller that reads at once, in milliseconds. */
const LATER = 30;

/** Longer than a check takes that does not wait, in milliseconds. */
const MUCH_LATER = 300;

/** Quotes with these fields. */
const quotesWith = (fields: JsonObject): Replacements => ({
  presentQuote: giving((shown) => ({ ...shown, ...fields })),
});

/** Quotes of this source show an empty list where they have no instructions. */
const instructionsOf = (source: string): Replacements => ({
  instructionsOfQuote: giving(
    (usual, _world, quote) => usual ?? (quote.source['sourceType'] === source ? [] : undefined),
  ),
});

/** What a service may do otherwise with quotes. */
export const quoteChoices: Choices = {
  'created-quote-status': {
    open: 'The status of the answer to POST /quotes is not shown.',
    ok: created(200),
    accepted: created(202),
  },
  'platform-fees-included': {
    open: 'platformFeesIncluded may be absent on older payloads.',
    absent: quotesWith({ platformFeesIncluded: undefined }),
  },
  'consent-on-file': {
    open: 'How soon a consent is on file is not stated.',
    later: {
      recordConsent:
        (original) =>
        (world, ...rest) =>
          void setTimeout(() => original(world, ...rest), LATER).unref(),
    },
  },
  'rate-details': {
    open: 'rateDetails is not among the required fields of a quote.',
    absent: quotesWith({ rateDetails: undefined }),
  },
  'counterparty-information': {
    open: 'counterpartyInformation is present if available and required by the configuration.',
    absent: quotesWith({ counterpartyInformation: undefined }),
    always: quotesWith({ counterpartyInformation: { RISK: { level: 'low' } } }),
  },
  'instructions-of-account-quotes': {
    open: 'paymentInstructions are not required for an internal account source.',
    'empty-list': instructionsOf('ACCOUNT'),
  },
  'withheld-instructions': {
    open: 'How instructions are withheld is not stated; an empty list shows none either.',
    'empty-list': instructionsOf('REALTIME_FUNDING'),
  },
  'currency-of-the-instructions': {
    open: 'Whether EUR_ACCOUNT instructions take another currency than the euro is not shown, nor which of the two yields.',
    wins: {
      payingParty: giving(({ customer, sendingCurrency }, world) => {
        const [, own] =
          /^([A-Z]{3})_ACCOUNT$/.exec(traitsOf(world, customer.id).fundingAccountType ?? '') ?? [];
        return { customer, sendingCurrency: own ?? sendingCurrency };
      }),
    },
  },
  'instruction-fields': {
    open: 'Only accountOrWalletInfo is required of an instruction, and only accountType of an account.',
    least: {
      presentInstruction: giving(({ accountOrWalletInfo }) => ({ accountOrWalletInfo })),
      presentFundingAccount: () => (_world, _quote, accountType) => ({ accountType }),
    },
    'mean-something-else': {
      presentFundingAccount: (original) => (world, quote, accountType) => ({
        ...(accountType.endsWith('_ACCOUNT')
          ? { address: { city: 'San Francisco', country: 'US' } }
          : { paymentRails: ['SOLANA'] }),
        ...original(world, quote, accountType),
      }),
    },
    'of-the-customer': { presentInstruction: giving((shown) => ({ ...shown, isPlatformAccount: false })) },
  },
  'quote-settles': {
    open: 'When an executed quote settles is not shown.',
    later: { whenQuoteSettles: () => (_world, settle) => void setTimeout(settle, LATER).unref() },
    'before-the-answer': {
      startQuote: (original) => (world, quote) => {
        original(world, quote);
        world.behaviour.settleQuote(quote);
      },
    },
  },
  'money-of-a-failed-quote': {
    open: 'When an execution fails, seen from the debit, is not stated; nor when a debited amount is back.',
    'never-leaves': {
      startQuote: (original) => (world, quote) => {
        if (quotePayoutFails(world, quote)) setQuoteStatus(world, quote, 'PROCESSING');
        else original(world, quote);
      },
      refundQuote: nothing,
    },
    'comes-back-later': {
      refundQuote: (original) => (world, quote) =>
        void setTimeout(() => original(world, quote), LATER).unref(),
    },
  },
  'expired-quote': {
    open: 'Which refusal an expired quote gets, and when it shows as EXPIRED, is not stated.',
    'answers-400': { refuseExpiredQuote: coded('INVALID_TIMESTAMP', 400) },
    'answers-410': { refuseExpiredQuote: coded('QUOTE_EXPIRED', 410) },
    'keeps-its-status': { expireQuote: nothing, shownStatus: () => (_world, quote) => quote.status },
  },
  'variable-fee-rate': {
    open: 'The rate is a percentage, while the equation multiplies it with the amount: percent or factor.',
    factor: { shownFeeRate: (original) => (world) => original(world) / 100 },
  },
  'variable-fee-base': {
    open: 'Whether the sending amount that the variable fee is taken of includes the fees of the service is not stated.',
    'less-own-fees': {
      feesOf: giving((fees, world, sending) => {
        const base = Number(sending - fees.serviceFixedFee) / (1 + VARIABLE_FEE_RATE / 100);
        const variableFeeAmount = variableFee(BigInt(Math.round(base)));
        const feesIncluded = fees.feesIncluded - fees.variableFeeAmount + variableFeeAmount;
        return { ...fees, variableFeeAmount, feesIncluded };
      }),
    },
  },
  'fee-override-of-other-currencies': {
    open: 'A platformFeeOverride needs a USD source; whether another one refuses or ignores it is not stated.',
    refused: {
      feeOverrideFits: () => (_world, body, currency) =>
        body['platformFeeOverride'] === undefined || currency === 'USD'
          ? undefined
          : refuse(new Refusal(400, 'INVALID_CURRENCY', 'platformFeeOverride needs US dollars.')),
    },
  },
  'quotes-to-own-accounts': {
    open: 'Whether a quote may go to another account of the same customer is not stated.',
    refused: {
      partiesDiffer: (original) => (world, source, destination) => {
        original(world, source, destination);
        if (String(destination['accountId']).startsWith('InternalAccount:'))
          throw new Refusal(400, 'INVALID_RECEIVER', 'Quotes go to external accounts.');
      },
    },
  },
  'limits-are-looked-at': {
    open: 'Whether a limit refuses the quote or its execution is not stated.',
    'when-quoted': { limitsAtExecution: nothing },
    'when-executed': { limitsAtQuote: nothing },
  },
  'ownership-threshold': {
    open: 'Pending accounts are usable below the threshold; what holds at it is not stated.',
    'itself-usable': {
      ownershipNeeded: (original) => (world, status, payment) =>
        original(world, status, { ...payment, totalSendingAmount: payment.totalSendingAmount - 1n }),
    },
  },
  'unverified-accounts': {
    open: 'What an UNVERIFIED account may still receive is not stated.',
    'take-nothing': { ownershipNeeded: where((status) => status === 'UNVERIFIED', true) },
  },
  'quote-answers': {
    open: 'The answers to POST /quotes, its execution and its authorization are named and not shaped.',
    'executed-wrapped': answering(EXECUTE, inside),
    'created-wrapped': answering(CREATE, inside),
    'executed-without-a-body': answering(EXECUTE, noContent),
    'read-wrapped': { ...answering(/^GET .*\/quotes\/:quoteId$/, inside) },
  },
  'status-of-executed-quotes': {
    open: 'What a quote shows between its execution and the end of it is not shown.',
    'pending-until-the-end': {
      shownStatus: giving((status) => (status === 'PROCESSING' ? 'PENDING' : status)),
      whenQuoteSettles: () => (_world, settle) => void setTimeout(settle, MUCH_LATER).unref(),
    },
  },
  'currency-fields': {
    open: 'No field of a currency is called required.',
    'code-alone': {
      presentCurrency: (original) => (world, code) => ({ code: original(world, code)['code'] }),
    },
  },
  'agent-quotes-to-other-customers': {
    open: "To whom an agent's quote is paid may be looked at when it is asked for or when it is executed.",
    'refused-when-executed': {
      receivingParty: (original) => (world, caller, customer, destination) =>
        (caller.kind === 'agent' &&
          externalAccounts.get(world, String(destination['accountId']))?.currency) ||
        original(world, caller, customer, destination),
      executeAsAgent: (original) => (world, agent, quote) => {
        const account = externalAccounts.get(world, String(quote.destination['accountId']));
        if (account && account.customerId !== agent.customerId)
          throw world.behaviour.refuseNotFound('account', account.id);
        return original(world, agent, quote);
      },
    },
  },
  'agent-execution-status': {
    open: 'The status of the answer to the execution of a quote by an agent is not shown.',
    created: answering('POST /agents/me/quotes/:quoteId/execute', (reply) => ({ ...reply, status: 201 })),
  },
};

function created(status: number): Replacements {
  return answering(CREATE, (reply) => ({ ...reply, status }));
}

function inside(reply: Reply): Reply {
  return { ...reply, body: isObject(reply.body) ? { quote: reply.body as Json } : {} };
}
