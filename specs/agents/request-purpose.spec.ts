import { nearMisses } from '../../generators/wrong-values.ts';
import { enumOf } from '../../schemas/values.ts';
import { expect, explore, test, verifies } from '../../suite/index.ts';
import { notAccepted, refusedAsInvalid } from '../support/transfer-mistakes.ts';
import { inTurn } from '../support/replay.ts';

const PURPOSES = enumOf('PurposeOfPayment');
const [PURPOSE] = PURPOSES;

test(
  'each purpose of the list is accepted',
  verifies('TRANSFER-PURPOSE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut()).accepted();
    const answers = await inTurn(PURPOSES, (purpose) =>
      agent.transferOut({ purposeOfPayment: purpose }, { label: `a transfer-out for ${purpose}` }),
    );

    await check('TRANSFER-PURPOSE-ACCEPTED', () => {
      for (const answer of answers) expect(answer).toBeAccepted();
    });
  },
);

test(
  'a purpose outside the list is refused',
  verifies('TRANSFER-PURPOSE-UNKNOWN', 'TRANSFER-INVALID-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut({ purposeOfPayment: PURPOSE })).accepted();
    const unknown = await agent.transferOut(
      { purposeOfPayment: 'NO_SUCH_PURPOSE' },
      { label: 'an unknown purpose' },
    );
    const number = await agent.transferOut({ purposeOfPayment: 1 }, { label: 'a purpose that is a number' });

    await refusedAsInvalid(check, 'TRANSFER-PURPOSE-UNKNOWN', [unknown, number]);
  },
);

test(
  'every near miss of a purpose is refused',
  verifies('TRANSFER-PURPOSE-UNKNOWN'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut({ purposeOfPayment: PURPOSE })).accepted();

    await check('TRANSFER-PURPOSE-UNKNOWN', () =>
      explore(nearMisses(PURPOSES), async (purposeOfPayment) =>
        notAccepted(await agent.transferOut({ purposeOfPayment })),
      ),
    );
  },
);

test(
  'a purpose may be left out where the geography does not ask for one',
  verifies('TRANSFER-PURPOSE-OPTIONAL'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut({ purposeOfPayment: PURPOSE })).accepted();
    const without = await agent.transferOut(
      { purposeOfPayment: undefined },
      { label: 'a transfer-out without purpose' },
    );

    await check('TRANSFER-PURPOSE-OPTIONAL', () => expect(without).toBeAccepted());
  },
);

test(
  'where a geography asks for a purpose, a transfer-out that names one is accepted',
  verifies('TRANSFER-PURPOSE-GEOGRAPHY'),
  async ({ given, need, check, observe }) => {
    const elsewhere = await given.agent();
    need(
      await elsewhere.transferOut(
        { purposeOfPayment: PURPOSE },
        { label: 'the same where no purpose is asked for' },
      ),
    ).accepted();
    const agent = await given.agentThatMustNamePurpose();
    const without = await agent.transferOut(
      { purposeOfPayment: undefined },
      { label: 'no purpose where one is asked for' },
    );
    const named = await agent.transferOut(
      { purposeOfPayment: PURPOSE },
      { label: 'a purpose where one is asked for' },
    );

    await check('TRANSFER-PURPOSE-GEOGRAPHY', () => expect(named).toBeAccepted());
    observe('purpose-required-answer', without);
  },
);
