import { sameInOtherWords, openWritings } from '../../generators/json.ts';
import { requestShape } from '../../generators/requests.ts';
import { exoticText } from '../../generators/texts.ts';
import { boundOf, enumOf, INT64 } from '../../schemas/openapi.ts';
import { expect, ORDINARY_AMOUNT, survey, test, verifies } from '../../suite/index.ts';
import { sentBody } from '../../suite/bodies.ts';

const SHAPE = requestShape('transferOut');
const MOST = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');

/** Characters that are one in code points, UTF-16 units and graphemes alike, and two or three in bytes. */
const ONE_CHARACTER = ['letter with an accent', 'right-to-left', 'euro sign', 'full width'];
/** Whole numbers around those that a double cannot hold. */
const AMOUNTS = [
  1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n + 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 53n + 3n,
  2n ** 62n + 1n,
  INT64.max,
];

interface Legal {
  readonly rule: string;
  readonly says: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const BOUNDS: readonly Legal[] = [
  ...[1, 2, MOST - 1, MOST].map((length) => ({
    rule: 'TRANSFER-REMITTANCE-ACCEPTED',
    says: `a remittance text of ${length} characters`,
    changes: { remittanceInformation: 'x'.repeat(length) },
  })),
  ...enumOf('PurposeOfPayment').map((purposeOfPayment) => ({
    rule: 'TRANSFER-PURPOSE-ACCEPTED',
    says: `the purpose ${purposeOfPayment}`,
    changes: { purposeOfPayment },
  })),
  {
    rule: 'TRANSFER-REMITTANCE-FREE-FORM',
    says: 'every printable character',
    changes: { remittanceInformation: 'a"\\/<>{}[]()\'`~!@#$%^&*-_=+|;:,.?z' },
  },
  {
    rule: 'TRANSFER-REMITTANCE-OPTIONAL',
    says: 'no remittance text',
    changes: { remittanceInformation: undefined },
  },
  { rule: 'TRANSFER-PURPOSE-OPTIONAL', says: 'no purpose', changes: { purposeOfPayment: undefined } },
];

test(
  'a legal transfer-out is taken, at its bounds too',
  verifies(...new Set(BOUNDS.map(({ rule }) => rule)), 'TRANSFER-DETAILS-AMOUNT-ECHO'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut()).accepted();

    await survey(check, BOUNDS, async ({ rule, says, changes }, on) => {
      const answer = on.told(await agent.transferOut(changes, { label: `a transfer-out with ${says}` }));
      on.must(sentBody(SHAPE, answer) === 'legal', 'what was sent is illegal');
      await on.hold(rule, () => expect(answer).toBeAccepted());
      await on.hold('TRANSFER-DETAILS-AMOUNT-ECHO', () =>
        expect(answer.digits('transferDetails', 'amount')).toBe(String(ORDINARY_AMOUNT)),
      );
    });
  },
);

test(
  'the same JSON in other words is the same transfer-out',
  verifies('TRANSFER-ACCEPTED', 'TRANSFER-DETAILS-AMOUNT-ECHO'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const body = agent.transferOutBody({ remittanceInformation: 'Invoice 1' });
    need(await agent.call('transferOut', { body, label: 'the transfer-out in plain JSON' })).accepted();

    await survey(check, sameInOtherWords(body), async ({ says, text }, on) => {
      const answer = on.told(await agent.call('transferOut', { raw: text, label: `JSON ${says}` }));
      on.must(sentBody(SHAPE, answer) === 'legal', 'what was sent is illegal');
      await on.hold('TRANSFER-ACCEPTED', () => expect(answer).toBeAccepted());
      await on.hold('TRANSFER-DETAILS-AMOUNT-ECHO', () =>
        expect(answer.digits('transferDetails', 'amount')).toBe(String(ORDINARY_AMOUNT)),
      );
    });
  },
);

test(
  'every amount of 64 bits that is taken is kept to the last unit',
  verifies('TRANSFER-AMOUNT-LARGE-EXACT', 'TRANSFER-DETAILS-AMOUNT-ECHO'),
  async ({ given, need, check, observe }) => {
    // Waiting for approval, so that no balance has to cover it.
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const control = await agent.transferOut();
    need(control).accepted();
    need.that(
      control.digits('transferDetails', 'amount') === String(ORDINARY_AMOUNT),
      'an ordinary amount is shown as another one, which is the concern of another rule',
    );
    const refused: string[] = [];

    await survey(check, AMOUNTS, async (amount, on) => {
      const answer = on.told(await agent.transferOut({ amount }, { label: `the amount ${amount}` }));
      if (answer.exchange.response && answer.refused) refused.push(String(amount));
      // A minimum or a limit may stand against it: the text names neither.
      on.must(answer.exchange.response && answer.accepted, 'this amount is not taken');
      await on.hold(amount > 2n ** 53n ? 'TRANSFER-AMOUNT-LARGE-EXACT' : 'TRANSFER-DETAILS-AMOUNT-ECHO', () =>
        expect(answer.digits('transferDetails', 'amount')).toBe(String(amount)),
      );
      const id = on.must(answer.body?.id, 'the action has no id');
      const read = on.told(await agent.readAction(id, { label: `reading the action of ${amount} back` }));
      on.must(read.exchange.response && read.accepted, 'this target offers no read of an action');
      const digits = read.digits('transferDetails', 'amount');
      on.must(digits, 'the read shows no amount');
      await on.hold(amount > 2n ** 53n ? 'TRANSFER-AMOUNT-LARGE-EXACT' : 'TRANSFER-DETAILS-AMOUNT-ECHO', () =>
        expect(read.digits('transferDetails', 'amount')).toBe(String(amount)),
      );
    });
    observe('large-amount-limit', refused.length === 0 ? 'none up to 64 bits' : refused);
  },
);

test(
  'a text of 80 characters is not too long for its bytes',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut({ remittanceInformation: 'x'.repeat(MOST) })).accepted();

    await survey(check, ONE_CHARACTER, async (kind, on) => {
      const send = async (times: number) =>
        on.told(
          await agent.transferOut(
            { remittanceInformation: exoticText(kind, times) },
            { label: `${times} × ${kind} as remittance text` },
          ),
        );
      // Which characters are taken is left open: a few of this one are, so the length alone stands against many.
      const few = await send(Math.floor(MOST / 4));
      on.must(few.exchange.response && few.accepted, 'this character is not taken');
      const full = await send(MOST);
      await on.hold('TRANSFER-REMITTANCE-ACCEPTED', () => expect(full).toBeAccepted());
    });
  },
);

test('what readers of JSON differ in is left open', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const body = agent.transferOutBody();
  need(await agent.transferOut()).accepted();
  const taken: string[] = [];
  const refused: string[] = [];
  for (const { says, text } of openWritings(body)) {
    const answer = await agent.call('transferOut', { raw: text, label: `JSON with ${says}` });
    if (answer.exchange.response) (answer.accepted ? taken : refused).push(says);
  }
  observe('json-writings', { taken, refused });
});
