import type fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { wrongRecordIds } from '../../generators/ids.ts';
import { beyondInt64, fractions, int64sBeyondDouble } from '../../generators/numbers.ts';
import {
  EXOTIC_KINDS,
  exoticText,
  nearMisses,
  overlongTexts,
  plainTexts,
  printableTexts,
} from '../../generators/texts.ts';
import { boundOf, enumOf, INT64 } from '../../schemas/openapi.ts';
import {
  expect,
  explore,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  since,
} from '../../suite/index.ts';
import { amountOfItsOwn } from '../support/actions.ts';
import { exploredAsInvalid, isOfTheAmount, refusedAsInvalid } from '../support/refusals.ts';
import { inTurn } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

/** Fields of a TransferOutRequest that are changed, or left out where they are `undefined`. */
type Fields = Readonly<Record<string, unknown>>;

/** Characters that a remittance text may have. */
const MOST = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
const RAILS = enumOf('PaymentRail');
const PURPOSES = enumOf('PurposeOfPayment');
const [PURPOSE] = PURPOSES;

/** Inputs that differ in nothing that a service reads, beside the plainest one. */
const FEW = { runs: 10 };

const ofLength = (length: number) => ({ remittanceInformation: 'x'.repeat(length) });
const withText = (remittanceInformation: string) => ({ remittanceInformation });
const withAmount = (amount: unknown) => ({ amount });
const byRail = ({ state }: Agent, paymentRail: unknown) => ({
  destination: { accountId: state.destinationAccountId, paymentRail },
});

function supportedRails({ state, need }: Agent): readonly string[] {
  const rails = state.supportedRails ?? [];
  need.offered(rails.length > 0, 'which rails the destination supports is not known');
  return rails;
}

/** The rails that the destination is known to support; all there are where that is not known. */
function railsOf({ state }: Agent): readonly string[] {
  return state.supportedRails?.length ? state.supportedRails : RAILS;
}

/** Transfer-outs that nothing stands against. */
const LEGAL: readonly {
  readonly says: string;
  readonly rule: string;
  /** Of the transfer-out before, which must be taken. */
  readonly control?: Fields;
  readonly sent: (agent: Agent) => readonly Fields[];
  /** Each by another rail, which may take other amounts. */
  readonly byRails?: true;
}[] = [
  {
    says: 'every rail that the destination supports is accepted',
    rule: 'TRANSFER-RAIL-SUPPORTED',
    sent: (agent) => supportedRails(agent).map((rail) => byRail(agent, rail)),
    byRails: true,
  },
  {
    says: 'each purpose of the list is accepted',
    rule: 'TRANSFER-PURPOSE-ACCEPTED',
    // SELF may be what SELF_PAYMENT (not allowed) speaks of, where the destination is somebody else's.
    sent: () =>
      PURPOSES.filter((purpose) => purpose !== 'SELF').map((purposeOfPayment) => ({ purposeOfPayment })),
  },
  {
    says: 'a purpose may be left out where the geography does not ask for one',
    rule: 'TRANSFER-PURPOSE-OPTIONAL',
    control: { purposeOfPayment: PURPOSE },
    sent: () => [{ purposeOfPayment: undefined }],
  },
  {
    says: 'a remittance text may fill its length',
    rule: 'TRANSFER-REMITTANCE-ACCEPTED',
    sent: () => [1, MOST - 1, MOST].map(ofLength),
  },
  {
    says: 'a remittance text may be left out',
    rule: 'TRANSFER-REMITTANCE-OPTIONAL',
    control: ofLength(1),
    sent: () => [{ remittanceInformation: undefined }],
  },
];

for (const { says, rule, control, sent, byRails } of LEGAL)
  test(says, verifies(rule), async ({ given, need, check }) => {
    const agent = await given.agent();
    await agent.needTransfer(control);
    const answers = await inTurn([...sent(agent).keys()], (at) =>
      unlimited(given, agent, (one) => one.transferOut(sent(one)[at])),
    );
    const judged = byRails ? answers.filter((answer) => !isOfTheAmount(answer)) : answers;
    need.offered(judged.length > 0, 'no rail takes this amount');
    await check(rule, () => {
      for (const answer of judged) expect(answer).toBeAccepted();
    });
    need.offered(judged.length === answers.length, 'some rails do not take this amount');
  });

for (const [says, rule, texts] of [
  ['every text up to the length is accepted', 'TRANSFER-REMITTANCE-ACCEPTED', plainTexts],
  ['spaces, digits and punctuation are free', 'TRANSFER-REMITTANCE-FREE-FORM', printableTexts],
] as const)
  test(says, verifies(rule), async ({ given, check }) => {
    const agent = await given.agent();
    await agent.needTransfer(ofLength(1));
    const inputs = texts({ minLength: 1, maxLength: MOST });
    const taken = async (text: string) => {
      // A text may come twice, and a service may take what is the same for a doubled request.
      const fields = { ...withText(text), amount: amountOfItsOwn(ORDINARY_AMOUNT) };
      expect(await unlimited(given, agent, (one) => one.transferOut(fields))).toBeAccepted();
    };
    await check(rule, () => explore(inputs, taken, rule === 'TRANSFER-REMITTANCE-ACCEPTED' ? FEW : {}));
  });

/** How many transfer-outs there may be in how much time is not shown: where no more are taken, another agent sends it. */
async function unlimited(
  given: Given,
  agent: Agent,
  send: (agent: Agent) => Promise<Answer>,
): Promise<Answer> {
  const answer = await send(agent);
  if (!answer.refused) return answer;
  const plain = await agent.transferOut({}, 'a transfer-out with nothing to refuse but that it is one more');
  return plain.refused ? send(await given.agent()) : answer;
}

/** Fields that are wrong: the plainest one, and many more. */
const WRONG: readonly {
  readonly says: string;
  readonly rule: string;
  readonly agent?: (given: Given) => Promise<Agent>;
  readonly control?: Fields;
  readonly plainest?: Fields | ((agent: Agent) => Fields);
  /** With which the plainest may be refused, where it is not 400 alone; none for any. */
  readonly statuses?: readonly number[];
  readonly inputs: (agent: Agent) => fc.Arbitrary<Fields>;
}[] = [
  {
    says: 'an amount with a fraction is refused',
    rule: 'TRANSFER-AMOUNT-FRACTION',
    plainest: { amount: ORDINARY_AMOUNT + 0.5 },
    inputs: () => fractions(ORDINARY_AMOUNT).map(withAmount),
  },
  {
    says: 'an amount beyond 64 bits is refused',
    rule: 'TRANSFER-AMOUNT-BEYOND-INT64',
    // Waiting for approval, so that an amount cut to 64 bits is not refused for want of funds.
    agent: (given) => given.agent({ execution: 'APPROVAL_REQUIRED' }),
    // It is 1000 for a service that keeps the low 64 bits.
    plainest: { amount: 2n ** 64n + BigInt(ORDINARY_AMOUNT) },
    // It may also be over a limit.
    statuses: [],
    inputs: () => beyondInt64().map(withAmount),
  },
  {
    says: 'every text over the length is refused',
    rule: 'TRANSFER-REMITTANCE-MAX',
    control: ofLength(MOST),
    plainest: ofLength(MOST + 1),
    inputs: () => overlongTexts(MOST).map(withText),
  },
  {
    says: 'every near miss of a purpose is refused',
    rule: 'TRANSFER-PURPOSE-UNKNOWN',
    control: { purposeOfPayment: PURPOSE },
    plainest: { purposeOfPayment: String(PURPOSE).toLowerCase() },
    inputs: () => nearMisses(PURPOSES).map((purposeOfPayment) => ({ purposeOfPayment })),
  },
  {
    says: 'every near miss of a rail is refused',
    rule: 'TRANSFER-RAIL-UNKNOWN',
    // Near misses of supported rails: a service that reads them generously would accept these.
    plainest: (agent) => byRail(agent, String(railsOf(agent)[0]).toLowerCase()),
    inputs: (agent) =>
      nearMisses(railsOf(agent))
        .filter((rail) => !RAILS.includes(rail))
        .map((rail) => byRail(agent, rail)),
  },
  ...(['source', 'destination'] as const).map((end) => ({
    says: `every tampered id is refused as ${end}`,
    rule: end === 'source' ? 'TRANSFER-SOURCE-FORM' : 'TRANSFER-DESTINATION-FORM',
    inputs: ({ state }: Agent) =>
      wrongRecordIds(end === 'source' ? state.sourceAccountId : state.destinationAccountId).map(({ id }) => ({
        [end]: { accountId: id },
      })),
  })),
];

for (const { says, rule, agent: prepared, control, plainest, statuses, inputs } of WRONG)
  test(says, verifies(rule, 'TRANSFER-INVALID-STATUS'), async ({ given, check }) => {
    const agent = await (prepared?.(given) ?? given.agent());
    await agent.needTransfer(control);
    if (plainest) {
      const fields = typeof plainest === 'function' ? plainest(agent) : plainest;
      await refusedAsInvalid(check, rule, [await agent.transferOut(fields)], statuses);
    }
    const send = (fields: Fields) => agent.transferOut(fields);
    await exploredAsInvalid(check, rule, inputs(agent), send, plainest ? FEW : {});
  });

test(
  'every rail of the list that the destination does not support is refused',
  verifies('TRANSFER-RAIL-UNSUPPORTED', 'TRANSFER-INVALID-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const supported = supportedRails(agent);
    const others = RAILS.filter((rail) => !supported.includes(rail));
    need.offered(others.length > 0, 'the destination supports every rail');
    await agent.needTransfer();
    const answers = await inTurn(others, (rail) => agent.transferOut(byRail(agent, rail)));
    // It may also be the account's policy that does not permit it: every refusal is right.
    await refusedAsInvalid(check, 'TRANSFER-RAIL-UNSUPPORTED', answers, []);
  },
);

test(
  'without a rail the service chooses one',
  verifies('TRANSFER-RAIL-DEFAULT'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    const [rail] = agent.state.supportedRails ?? [];
    if (rail !== undefined) await agent.needTransfer(byRail(agent, rail));
    const omitted = await agent.transferOut({}, 'a transfer-out that names no rail');

    await check('TRANSFER-RAIL-DEFAULT', () => expect(omitted).toBeAccepted());
    const { transaction } = (omitted.body ?? {}) as { transaction?: { paymentRail?: unknown } };
    observe('default-rail', transaction?.paymentRail ?? 'not shown', omitted);
  },
);

test(
  'where a geography asks for a purpose, a transfer-out that names one is accepted',
  verifies('TRANSFER-PURPOSE-GEOGRAPHY'),
  async ({ given, check, observe }) => {
    const elsewhere = await given.agent();
    await elsewhere.needTransfer({ purposeOfPayment: PURPOSE }, 'the same where no purpose is asked for');
    const agent = await given.agentThatMustNamePurpose();
    const without = await agent.transferOut({}, 'no purpose where one is asked for');
    const named = await agent.transferOut({ purposeOfPayment: PURPOSE }, 'a purpose where one is asked for');

    await check('TRANSFER-PURPOSE-GEOGRAPHY', () => expect(named).toBeAccepted());
    observe('purpose-required-answer', without);
  },
);

/** One character each in code points, UTF-16 units and graphemes alike, and two or three bytes. */
const OF_SEVERAL_BYTES = ['letter with an accent', 'right-to-left', 'euro sign', 'full width'];

test(
  'the length of a remittance text is counted in characters',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    await agent.needTransfer(ofLength(MOST));
    // Which characters are taken is left open: where a few of one are, only the length stands against many.
    const few = await inTurn(OF_SEVERAL_BYTES, (kind) => sendExotic(agent, kind, MOST / 4));
    const kinds = OF_SEVERAL_BYTES.filter((_, at) => few[at]?.exchange.response && few[at].accepted);
    need.offered(kinds.length > 0, 'no character of several bytes is taken');
    const full = await inTurn(kinds, (kind) => unlimited(given, agent, (one) => sendExotic(one, kind, MOST)));

    await check('TRANSFER-REMITTANCE-ACCEPTED', () => {
      for (const answer of full) expect(answer).toBeAccepted();
    });
  },
);

test('what one character is, and which ones are taken, is left open', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.needTransfer(ofLength(1));
  const short = await inTurn(EXOTIC_KINDS, (kind) => sendExotic(agent, kind, 1));
  observe(
    'remittance-character-set',
    {
      taken: EXOTIC_KINDS.filter((_, at) => short[at]?.accepted),
      refused: EXOTIC_KINDS.filter((_, at) => short[at]?.refused),
    },
    ...short,
  );

  // A text of as many characters as are allowed, longer than that in every unit below the one that the target counts in.
  const full: readonly (readonly [unit: string, kind: string])[] = [
    ['grapheme clusters', 'combining mark'],
    ['code points', 'astral character'],
    ['UTF-16 units', 'letter with an accent'],
  ];
  const long = await inTurn(full, ([, kind]) => sendExotic(agent, kind, MOST));
  const unit =
    full.find((_, at) => long[at]?.accepted)?.[0] ?? 'bytes, or the characters themselves are refused';
  observe('remittance-length-unit', unit, ...long);
  // Taken or refused: half a character alone is none, but no other text is a reason to break.
  for (const [at, kind] of EXOTIC_KINDS.entries()) if (!kind.startsWith('lone')) short[at]?.tellFault();
});

test(
  'an amount beyond 2^53 is kept to the last unit, and one beyond 2^31',
  verifies('TRANSFER-AMOUNT-LARGE-EXACT', 'TRANSFER-DETAILS-AMOUNT-ECHO'),
  async ({ given, need, check, observe }) => {
    // Waiting for approval, so that no balance has to cover it.
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const ordinary = await agent.needTransfer();
    observe('large-amount-limit', await agent.transferOut({ amount: INT64.max }, 'the greatest amount'));
    need.that(
      ordinary.digits('transferDetails', 'amount') === String(ORDINARY_AMOUNT),
      'an ordinary amount is not shown as it was sent either',
    );
    const beyond32 = 2n ** 31n + 1n;
    const large = await agent.transferOut({ amount: beyond32 }, 'an amount that 32 bits cannot hold');
    if (large.accepted)
      await check('TRANSFER-DETAILS-AMOUNT-ECHO', () =>
        expect(large.digits('transferDetails', 'amount')).toBe(String(beyond32)),
      );
    const first = await agent.transferOut({ amount: 2n ** 53n + 1n }, 'an amount that a double cannot hold');
    need.offered(first.accepted, 'the target takes no amount beyond 2^53 from this agent');

    await check('TRANSFER-AMOUNT-LARGE-EXACT', () =>
      expect(first.digits('transferDetails', 'amount')).toBe(String(2n ** 53n + 1n)),
    );
    const kept = async (amount: bigint) => {
      const answer = await agent.transferOut({ amount });
      if (answer.accepted) expect(answer.digits('transferDetails', 'amount')).toBe(String(amount));
    };
    await check('TRANSFER-AMOUNT-LARGE-EXACT', () => explore(int64sBeyondDouble(), kept, FEW));
  },
);

test(
  'a negative amount moves no money',
  verifies('TRANSFER-AMOUNT-NEGATIVE'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    await agent.needTransfer();
    const before = await account.untilTaken(ORDINARY_AMOUNT);
    const negative = await agent.transferOut({ amount: -ORDINARY_AMOUNT }, 'a negative amount');
    const after = negative.accepted ? await account.untilLessTaken(before.amount) : await account.taken();

    await check(
      'TRANSFER-AMOUNT-NEGATIVE',
      () => expect(since(before, after)).toHaveTaken({ atLeast: 0, below: ORDINARY_AMOUNT }),
      [negative, after.answer],
    );
    observe('amount-negative', negative);
  },
);

test(
  'a transfer-out needs a body',
  verifies('TRANSFER-BODY-REQUIRED', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.needTransfer();
    const none = await agent.call('transferOut', 'a transfer-out without a body');
    const empty = await agent.call('transferOut', { raw: '', label: 'a transfer-out with an empty body' });

    // Whether a missing body is an invalid parameter, the text does not say: every refusal is right.
    await refusedAsInvalid(check, 'TRANSFER-BODY-REQUIRED', [none, empty], []);
    observe('empty-body-code', none);
  },
);

test(
  'what else a request may say is left open, but for a fault of the service',
  verifies('TRANSFER-INVALID-STATUS'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.needTransfer();
    const questions: readonly (readonly [question: string, says: string, fields: Fields])[] = [
      ['amount-absent', 'no amount', { amount: undefined }],
      ['amount-zero', 'an amount of zero', { amount: 0 }],
      ['amount-integral-float', 'an amount with .0', { amount: new LosslessNumber(`${ORDINARY_AMOUNT}.0`) }],
      ['amount-integral-float', 'the amount 1e3', { amount: new LosslessNumber('1e3') }],
      ['optional-field-null', 'an amount of null', { amount: null }],
      ['optional-field-null', 'a remittance text of null', { remittanceInformation: null }],
      ['optional-field-null', 'a purpose of null', { purposeOfPayment: null }],
      ['remittance-empty', 'an empty remittance text', { remittanceInformation: '' }],
      ['purpose-self', 'the purpose SELF', { purposeOfPayment: 'SELF' }],
    ];
    for (const [question, says, fields] of questions) {
      const answer = await agent.transferOut(fields, `a transfer-out with ${says}`);
      observe(question, answer);
      if (question !== 'optional-field-null') answer.tellFault();
      else if (answer.isFault) await check('TRANSFER-INVALID-STATUS', () => expect(answer).toBeRefused());
    }

    const further = [
      { x: '' },
      { note: 'a note' },
      { metadata: {} },
      { traceId: 7 },
      { clientVersion: null },
    ];
    const answers = await inTurn(further, (fields) =>
      agent.transferOut(fields, 'a transfer-out with a further field'),
    );
    observe('unknown-request-field', answers.some((answer) => answer.refused) ? 'refused' : 'ignored');
  },
);

function sendExotic(agent: Agent, kind: string, times: number) {
  return agent.transferOut(withText(exoticText(kind, times)), `${times} × ${kind} as remittance text`);
}
