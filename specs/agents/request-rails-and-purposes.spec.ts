import { nearMisses } from '../../generators/near-misses.ts';
import { enumOf } from '../../schemas/openapi.ts';
import { expect, test, verifies, type Agent } from '../../suite/index.ts';
import { inTurn } from '../support/replay.ts';
import { exploredAsInvalid, refusedAsInvalid } from '../support/refusals.ts';

const RAILS = enumOf('PaymentRail');
const by = (agent: Agent, paymentRail: unknown) =>
  agent.transferOut(
    { destination: { accountId: agent.state.destinationAccountId, paymentRail } },
    { label: `a transfer-out by ${String(paymentRail)}` },
  );

const PURPOSES = enumOf('PurposeOfPayment');
const [PURPOSE] = PURPOSES;

test(
  'every rail that the destination supports is accepted',
  verifies('TRANSFER-RAIL-SUPPORTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const supported = agent.state.supportedRails ?? [];
    need.offered(supported.length > 0, 'which rails the destination supports is not known');
    await agent.mustTransfer();
    const answers = await inTurn(supported, (rail) => by(agent, rail));

    await check('TRANSFER-RAIL-SUPPORTED', () => {
      for (const answer of answers) expect(answer).toBeAccepted();
    });
  },
);

test(
  'a rail of the list that the destination does not support is refused',
  verifies('TRANSFER-RAIL-UNSUPPORTED', 'TRANSFER-INVALID-STATUS'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent();
    const supported = agent.state.supportedRails ?? [];
    const others = RAILS.filter((rail) => !supported.includes(rail));
    need.offered(
      supported.length > 0 && others.length > 0,
      'which rails the destination does not support is not known',
    );
    need(await by(agent, supported[0])).accepted();
    const answers = await inTurn(others, (rail) => by(agent, rail));

    // An invalid parameter, or something that the policy of the account does not permit: every refusal is right.
    await refusedAsInvalid(check, 'TRANSFER-RAIL-UNSUPPORTED', answers, []);
    if (answers[0]) observe('unsupported-rail-answer', answers[0]);
  },
);

test(
  'every near miss of a rail is refused',
  verifies('TRANSFER-RAIL-UNKNOWN', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const supported = agent.state.supportedRails ?? [];
    await agent.mustTransfer();

    // Near misses of supported rails: a service that reads them generously would accept these.
    const misses = nearMisses(supported.length > 0 ? supported : RAILS).filter(
      (rail) => !RAILS.includes(rail),
    );
    await exploredAsInvalid(check, 'TRANSFER-RAIL-UNKNOWN', misses, (rail) => by(agent, rail));
  },
);

test(
  'without a rail the service chooses one',
  verifies('TRANSFER-RAIL-DEFAULT'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent();
    const [rail] = agent.state.supportedRails ?? [];
    if (rail !== undefined) need(await by(agent, rail)).accepted();
    const omitted = await agent.transferOut({}, 'a transfer-out that names no rail');

    await check('TRANSFER-RAIL-DEFAULT', () => expect(omitted).toBeAccepted());
    const transaction = (omitted.body as { transaction?: { paymentRail?: unknown } } | undefined)
      ?.transaction;
    observe('default-rail', transaction?.paymentRail ?? 'not shown', omitted);
  },
);

test(
  'each purpose of the list is accepted',
  verifies('TRANSFER-PURPOSE-ACCEPTED'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.mustTransfer();
    // SELF may be what SELF_PAYMENT (not allowed) speaks of, where the destination is somebody else's.
    const answers = await inTurn(
      PURPOSES.filter((purpose) => purpose !== 'SELF'),
      (purpose) => agent.transferOut({ purposeOfPayment: purpose }, `a transfer-out for ${purpose}`),
    );
    observe('purpose-self', await agent.transferOut({ purposeOfPayment: 'SELF' }, 'a transfer-out for SELF'));

    await check('TRANSFER-PURPOSE-ACCEPTED', () => {
      for (const answer of answers) expect(answer).toBeAccepted();
    });
  },
);

test(
  'every near miss of a purpose is refused',
  verifies('TRANSFER-PURPOSE-UNKNOWN', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer({ purposeOfPayment: PURPOSE });

    await exploredAsInvalid(check, 'TRANSFER-PURPOSE-UNKNOWN', nearMisses(PURPOSES), (purposeOfPayment) =>
      agent.transferOut({ purposeOfPayment }),
    );
  },
);

test(
  'a purpose may be left out where the geography does not ask for one',
  verifies('TRANSFER-PURPOSE-OPTIONAL'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer({ purposeOfPayment: PURPOSE });
    const without = await agent.transferOut(
      { purposeOfPayment: undefined },
      'a transfer-out without purpose',
    );

    await check('TRANSFER-PURPOSE-OPTIONAL', () => expect(without).toBeAccepted());
  },
);

test(
  'where a geography asks for a purpose, a transfer-out that names one is accepted',
  verifies('TRANSFER-PURPOSE-GEOGRAPHY'),
  async ({ given, check, observe }) => {
    const elsewhere = await given.agent();
    await elsewhere.mustTransfer({ purposeOfPayment: PURPOSE }, 'the same where no purpose is asked for');
    const agent = await given.agentThatMustNamePurpose();
    const without = await agent.transferOut(
      { purposeOfPayment: undefined },
      'no purpose where one is asked for',
    );
    const named = await agent.transferOut({ purposeOfPayment: PURPOSE }, 'a purpose where one is asked for');

    await check('TRANSFER-PURPOSE-GEOGRAPHY', () => expect(named).toBeAccepted());
    observe('purpose-required-answer', without);
  },
);
