import {
  expect,
  inTime,
  quoteIn,
  succeeded,
  test,
  verifies,
  type Agent,
  type Answer,
  type Check,
  type Given,
  type QuoteCustomer,
  type QuotingAgent,
} from '../../suite/index.ts';
import { callsOf, race } from '../../suite/concurrent-calls.ts';
import { folded } from '../../suite/same-id.ts';
import { afterDecision, amountOfItsOwn, objectsIn, pending } from '../support/actions.ts';
import { watchedAccount } from '../support/quotes.ts';
import { needAwait } from '../support/sca.ts';

/** How many calls are under way together. */
const CALLS = 3;

/** Calls of one kind that have nothing to do with each other. */
interface Kind {
  readonly says: string;
  readonly rules: readonly string[];
  readonly begin: (given: Given) => Promise<Begun>;
}

interface Begun {
  readonly sends: readonly (() => Promise<Answer>)[];
  /** Holds each answer to what its own call asked for. @param answers in the order of `sends`, all accepted */
  readonly expectOwn: (check: Check, answers: readonly Answer[]) => Promise<unknown>;
}

const KINDS: readonly Kind[] = [
  {
    says: 'transfer-outs of one agent at once are each answered with their own action',
    rules: ['TRANSFER-DETAILS-AMOUNT-ECHO'],
    begin: async (given) => {
      const agent = await given.agent();
      return transfers(agent, (amount, label) => agent.transferOut({ amount }, label));
    },
  },
  {
    says: 'transfer-ins of one agent at once are each answered with their own action',
    rules: ['TRANSFER-DETAILS-AMOUNT-ECHO'],
    begin: async (given) => {
      const agent = await given.agent();
      return transfers(agent, (amount, label) => agent.transferIn({ amount }, label));
    },
  },
  {
    says: 'approvals at once of several actions approve each of them',
    rules: ['ACTION-APPROVE-APPROVES'],
    begin: async (given) => approvals(await given.agent({ execution: 'APPROVAL_REQUIRED' })),
  },
  {
    says: 'quotes that are created at once have a transaction each',
    rules: ['QUOTE-TRANSACTION-ID-STABLE'],
    begin: async (given) => {
      const customer = await given.customer();
      return quotes(customer, (changes, label) => customer.create(changes, label));
    },
  },
  {
    says: 'quotes that an agent creates at once have a transaction each',
    rules: ['QUOTE-TRANSACTION-ID-STABLE'],
    begin: async (given) => {
      const agent = await given.agentWithQuotes();
      agent.need.offered(
        'lockedCurrencyAmount' in agent.state.body,
        'how a quote of an agent names its amount is not known',
      );
      return quotes(agent, (changes, label) => agent.createQuote(changes, label));
    },
  },
  {
    says: 'quotes that are executed at once are answered with the quote that was executed, and take their total each',
    rules: ['QUOTE-ID-STABLE', 'QUOTE-DEBIT-IS-TOTAL'],
    begin: executions,
  },
  {
    says: 'quotes of one customer that are authorized at once are answered with the quote that was authorized',
    rules: ['QUOTE-ID-STABLE'],
    begin: authorizations,
  },
  {
    says: 'challenges of several passkeys at once are challenges of their own',
    rules: ['CHALLENGE-PASSKEY-FRESH'],
    begin: challenges,
  },
];

for (const { says, rules, begin } of KINDS)
  test(says, verifies(...rules), async ({ given, need, check }) => {
    const found = await race(callsOf(() => begin(given)));
    const { records, history } = need.offered(found, 'the calls did not overlap');
    const answers = history.map(({ answer }) => answer);
    for (const answer of answers) answer.tellFault();
    // While one is under way another may be refused for that alone.
    need.offered(answers.every(succeeded), 'this target does not take all of them at once');
    await records.expectOwn(check, answers);
  });

/** Each a different amount, and small ones: a balance is to be enough for all of them. */
const amounts = () => Array.from({ length: CALLS }, (_, at) => amountOfItsOwn(10_000 * (at + 1)));

function transfers({ need }: Agent, transfer: (amount: number, label: string) => Promise<Answer>): Begun {
  const asked = amounts();
  return {
    sends: asked.map((amount) => () => transfer(amount, `a transfer of ${amount}, beside others`)),
    async expectOwn(check, answers) {
      const shown = answers.map((answer) => objectsIn(answer).find((one) => 'transferDetails' in one));
      need.offered(!shown.includes(undefined), 'no action could be recognised in the answers');
      const details = shown.map((action) => action?.['transferDetails'] as { amount?: unknown } | undefined);
      await check(
        'TRANSFER-DETAILS-AMOUNT-ECHO',
        () => expect(details.map((one) => one?.amount)).toEqual(asked),
        answers,
      );
    },
  };
}

async function approvals(agent: Agent): Promise<Begun> {
  const ids: string[] = [];
  for (const amount of amounts()) ids.push((await pending(agent, amount)).id);
  return {
    sends: ids.map((id) => () => agent.approve(id)),
    async expectOwn(check, answers) {
      for (const [at, id] of ids.entries()) {
        const answer = answers[at] as Answer;
        const seen = agent.need.offered(
          await afterDecision(agent, answer, id, 'APPROVED'),
          'neither the answer to the approval nor a read shows the action',
        );
        await check(
          'ACTION-APPROVE-APPROVES',
          () => expect(seen.action.status).toBeOneOf(['APPROVED', 'FAILED']),
          inTime(answer, seen.answer),
        );
      }
    },
  };
}

/** @param create a quote of an amount */
function quotes(
  { need }: QuoteCustomer | QuotingAgent,
  create: (changes: Readonly<Record<string, unknown>>, label: string) => Promise<Answer>,
): Begun {
  return {
    sends: amounts().map(
      (lockedCurrencyAmount) => () =>
        create({ lockedCurrencyAmount }, `a quote of ${lockedCurrencyAmount}, beside others`),
    ),
    async expectOwn(check, answers) {
      const named = answers.map((answer) => quoteIn(answer)?.transactionId);
      need.offered(
        named.every((id) => typeof id === 'string'),
        'no transaction could be recognised in the answers',
      );
      await check(
        'QUOTE-TRANSACTION-ID-STABLE',
        () => expect(new Set(named.map(folded)).size, 'different transactions').toBe(CALLS),
        answers,
      );
    },
  };
}

async function executions(given: Given): Promise<Begun> {
  given.unshared('prepared accounts are shared between tests');
  const customer = await given.customer();
  const account = await watchedAccount(customer);
  const ids: unknown[] = [];
  let due = 0;
  for (const lockedCurrencyAmount of amounts()) {
    const { quote } = await customer.needCreate({ lockedCurrencyAmount });
    due += customer.need.offered(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
    ids.push(quote.id);
  }
  return {
    sends: ids.map((id) => () => customer.execute(id)),
    async expectOwn(check, answers) {
      await expectQuotes(check, answers, ids);
      for (const [at, id] of ids.entries()) {
        const { outcome } = await customer.outcome(answers[at] as Answer, id);
        customer.need.offered(outcome === 'executed', 'not all quotes were seen to be executed');
      }
      const taken = await account.untilTaken(due);
      customer.need.offered(taken.amount !== 0, 'the balance shows no movement');
      await check(
        'QUOTE-DEBIT-IS-TOTAL',
        () => expect(taken).toHaveTaken({ exactly: due }),
        inTime(...answers, taken.answer),
      );
    },
  };
}

async function authorizations(given: Given): Promise<Begun> {
  const customer = await given.scaCustomer({ challenges: 2 });
  const ids: unknown[] = [];
  const sends = [];
  for (const at of [1, 2]) {
    const { quote, challenge } = await needAwait(customer, `quote ${at} of 2`);
    const proof = customer.needProve(challenge);
    ids.push(quote.id);
    sends.push(() => customer.authorize(quote.id, proof, `authorizing quote ${at} of 2`));
  }
  return {
    sends,
    expectOwn: (check, answers) => expectQuotes(check, answers, ids),
  };
}

/** Holds that each answer that shows a quote shows the one with its id. */
async function expectQuotes(
  check: Check,
  answers: readonly Answer[],
  ids: readonly unknown[],
): Promise<void> {
  for (const [at, answer] of answers.entries()) {
    const shown = quoteIn(answer);
    if (shown) await check('QUOTE-ID-STABLE', () => expect(folded(shown.id)).toBe(folded(ids[at])), [answer]);
  }
}

async function challenges(given: Given): Promise<Begun> {
  const { wallet, credential, session } = await given.signedIn('PASSKEY');
  const further = await wallet.needRegister('PASSKEY', session);
  return {
    sends: [credential, further].map((one) => () => wallet.challenge(one, { clientKey: wallet.newKey() })),
    expectOwn: (check, answers) =>
      check(
        'CHALLENGE-PASSKEY-FRESH',
        () => {
          const issued = (field: 'challenge' | 'requestId') =>
            new Set(answers.map(({ body }) => body[field])).size;
          expect(issued('challenge'), 'different challenges').toBe(answers.length);
          expect(issued('requestId'), 'different requestIds').toBe(answers.length);
        },
        answers,
      ),
  };
}
