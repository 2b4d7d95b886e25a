import {
  EXOTIC_KINDS,
  exoticText,
  overlongTexts,
  plainTexts,
  printableTexts,
} from '../../generators/texts.ts';
import { boundOf } from '../../schemas/openapi.ts';
import { expect, explore, test, verifies } from '../../suite/index.ts';
import { exploredAsInvalid, refusedAsInvalid } from '../support/refusals.ts';
import { inTurn } from '../support/replay.ts';

/** Characters that a remittance text may have. */
const MOST = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
const text = (length: number) => 'x'.repeat(length);

test(
  'a remittance text may fill its length, and not more',
  verifies('TRANSFER-REMITTANCE-ACCEPTED', 'TRANSFER-REMITTANCE-MAX', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer();
    const legal = [1, MOST - 1, MOST];
    const taken = await inTurn(legal, (length) =>
      agent.transferOut({ remittanceInformation: text(length) }, `a remittance text of ${length} characters`),
    );
    const over = await agent.transferOut(
      { remittanceInformation: text(MOST + 1) },
      `a remittance text of ${MOST + 1} characters`,
    );

    await check('TRANSFER-REMITTANCE-ACCEPTED', () => {
      for (const answer of taken) expect(answer).toBeAccepted();
    });
    await refusedAsInvalid(check, 'TRANSFER-REMITTANCE-MAX', [over]);
  },
);

test(
  'every text up to the length is accepted',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer();

    await check('TRANSFER-REMITTANCE-ACCEPTED', () =>
      explore(plainTexts({ minLength: 1, maxLength: MOST }), async (remittanceInformation) =>
        expect(await agent.transferOut({ remittanceInformation })).toBeAccepted(),
      ),
    );
  },
);

/** One character each in code points, UTF-16 units and graphemes alike, and two or three bytes. */
const OF_SEVERAL_BYTES = ['letter with an accent', 'right-to-left', 'euro sign', 'full width'];

test(
  'the length of a remittance text is counted in characters',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await agent.transferOut({ remittanceInformation: text(MOST) })).accepted();
    const send = (kind: string, times: number) =>
      agent.transferOut(
        { remittanceInformation: exoticText(kind, times) },
        { label: `${times} × ${kind} as remittance text` },
      );
    // Which characters are taken is left open: where a few of one are, only the length stands against many.
    const few = await inTurn(OF_SEVERAL_BYTES, (kind) => send(kind, MOST / 4));
    const kinds = OF_SEVERAL_BYTES.filter((_, at) => few[at]?.exchange.response && few[at].accepted);
    need.offered(kinds.length > 0, 'no character of several bytes is taken');
    const full = await inTurn(kinds, (kind) => send(kind, MOST));

    await check('TRANSFER-REMITTANCE-ACCEPTED', () => {
      for (const answer of full) expect(answer).toBeAccepted();
    });
  },
);

test(
  'every text over the length is refused',
  verifies('TRANSFER-REMITTANCE-MAX', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer({ remittanceInformation: text(MOST) });

    await exploredAsInvalid(check, 'TRANSFER-REMITTANCE-MAX', overlongTexts(MOST), (remittanceInformation) =>
      agent.transferOut({ remittanceInformation }),
    );
  },
);

test(
  'spaces, digits and punctuation are free',
  verifies('TRANSFER-REMITTANCE-FREE-FORM'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer({ remittanceInformation: text(1) });

    await check('TRANSFER-REMITTANCE-FREE-FORM', () =>
      explore(printableTexts({ minLength: 1, maxLength: MOST }), async (remittanceInformation) =>
        expect(await agent.transferOut({ remittanceInformation })).toBeAccepted(),
      ),
    );
  },
);

test(
  'a remittance text may be left out',
  verifies('TRANSFER-REMITTANCE-OPTIONAL'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.mustTransfer({ remittanceInformation: text(1) });
    const without = await agent.transferOut(
      { remittanceInformation: undefined },
      'a transfer-out without remittance text',
    );

    await check('TRANSFER-REMITTANCE-OPTIONAL', () => expect(without).toBeAccepted());

    observe(
      'remittance-empty',
      await agent.transferOut({ remittanceInformation: '' }, 'an empty remittance text'),
    );
    observe(
      'optional-field-null',
      await agent.transferOut({ remittanceInformation: null }, 'a remittance text of null'),
    );
  },
);

test('what one character is, and which ones are taken, is left open', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.mustTransfer({ remittanceInformation: text(1) });
  const send = (kind: string, times: number) =>
    agent.transferOut(
      { remittanceInformation: exoticText(kind, times) },
      `${times} × ${kind} as remittance text`,
    );

  const short = await inTurn(EXOTIC_KINDS, (kind) => send(kind, 1));
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
  const long = await inTurn(full, ([, kind]) => send(kind, MOST));
  const unit =
    full.find((_, at) => long[at]?.accepted)?.[0] ?? 'bytes, or the characters themselves are refused';
  observe('remittance-length-unit', unit, ...long);
});
