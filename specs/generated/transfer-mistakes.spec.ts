import { mistakePairs, mistakesIn, spread, type Mistake } from '../../generators/mistakes.ts';
import { requestShape } from '../../generators/requests.ts';
import { fieldsNamed, leadsTo, sentBody } from '../../suite/bodies.ts';
import { expect, ORDINARY_AMOUNT, survey, test, verifies, type Agent, isShared } from '../../suite/index.ts';
import { notAccepted } from '../support/refusals.ts';
import { objectsIn } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';
import { sameId } from '../../suite/same-id.ts';

type Of = (one: Mistake) => boolean;

/** The rule that each single mistake of a transfer-out breaks, by the field it is made in; the first that fits. */
const RULES: readonly (readonly [rule: string, of: Of])[] = [
  ['TRANSFER-SOURCE-REQUIRED', ({ field, kind }) => field === 'source' && kind === 'missing'],
  ['TRANSFER-DESTINATION-REQUIRED', ({ field, kind }) => field === 'destination' && kind === 'missing'],
  [
    'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    ({ field, kind }) => field === 'source.accountId' && kind === 'missing',
  ],
  [
    'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    ({ field, kind }) => field === 'destination.accountId' && kind === 'missing',
  ],
  ['TRANSFER-SOURCE-FORM', ({ field, kind }) => field === 'source.accountId' && kind === 'not of its form'],
  [
    'TRANSFER-DESTINATION-FORM',
    ({ field, kind }) => field === 'destination.accountId' && kind === 'not of its form',
  ],
  ['TRANSFER-REFERENCE-TYPES', ({ field }) => /^(source|destination)(\.accountId)?$/.test(field)],
  ['TRANSFER-RAIL-UNKNOWN', ({ field }) => field === 'destination.paymentRail'],
  ['TRANSFER-AMOUNT-FRACTION', ({ kind }) => kind === 'a fraction'],
  ['TRANSFER-AMOUNT-BEYOND-INT64', ({ kind }) => kind === 'beyond 64 bits'],
  ['TRANSFER-AMOUNT-TEXT', ({ field }) => field === 'amount'],
  ['TRANSFER-REMITTANCE-MAX', ({ kind }) => kind === 'too long'],
  ['TRANSFER-REMITTANCE-TYPE', ({ field }) => field === 'remittanceInformation'],
  ['TRANSFER-PURPOSE-UNKNOWN', ({ field }) => field === 'purposeOfPayment'],
];

/** Every rule that a mistake of a transfer-out can break. */
const MISTAKE_RULES: readonly string[] = RULES.map(([rule]) => rule);

const SHAPE = requestShape('transferOut');
const SCHEMA = SHAPE.body!.schema;
/** Mistakes of one kind in one field that are tried; only the enumerations have more. */
const ALIKE = 8;

/** Every optional field is there, so that mistakes can be made in each. */
const legalBody = (agent: Agent) =>
  agent.transferOutBody({ remittanceInformation: 'Invoice 1', purposeOfPayment: 'GIFT' });

test(
  'whatever the one mistake in a transfer-out is, it is refused with 400 and leaves nothing',
  verifies(
    ...MISTAKE_RULES,
    'TRANSFER-INVALID-STATUS',
    'TRANSFER-REFUSED-LEAVES-NOTHING',
    'ERROR-FIELD-ERRORS-ONLY-INVALID',
    'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
  ),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const legal = legalBody(agent);
    const control = await agent.call('transferOut', {
      body: legal,
      label: 'the transfer-out without a mistake',
    });
    need(control).accepted();
    let wereRefused = true;

    await survey(check, spread(mistakesIn(SCHEMA, legal), ALIKE), async (mistake, on) => {
      const { field, kind, body } = mistake;
      const rule = on.must(ruleOfMistake(mistake), 'no rule speaks of this mistake');
      const answer = on.told(await agent.call('transferOut', { body, label: `${field}: ${kind}` }));
      on.must(sentBody(SHAPE, answer) === 'illegal', 'what was sent is legal');
      if (!answer.exchange.response || answer.exchange.response.status < 400) wereRefused = false;
      await on.hold(rule, () => notAccepted(answer));
      if (isInvalidParameter(mistake))
        await on.hold('TRANSFER-INVALID-STATUS', () => expect(answer).toHaveHttpStatus(400), {
          unless: [rule],
        });
      const named = fieldsNamed(answer);
      if (!named) return;
      const [top = ''] = field.split('.');
      await on.hold('ERROR-FIELD-ERRORS-ONLY-INVALID', () =>
        expect(
          (fieldsNamed(answer) ?? []).filter((path) => !path.split(/[./[\]]/).includes(top)),
          `fields named beside ${field}`,
        ).toEqual([]),
      );
      await on.hold('ERROR-FIELD-ERRORS-ONE-PER-FIELD', () =>
        expect(fieldsNamed(answer), 'fields named').toEqual([...new Set(named)]),
      );
    });

    // A mistake that was taken is told by its own rule.
    if (!wereRefused) return;
    const list = await agent.call('listMyActions', {
      label: "listing the agent's actions after the mistakes",
    });
    const ids = objectsIn(list).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    const own = (control.body as { id?: unknown } | undefined)?.id;
    if (!isShared(agent.state) && ids.some((id) => sameId(id, own)))
      await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(ids, 'actions').toHaveLength(1), [list]);
  },
);

test(
  'transfer-outs with a mistake move no money',
  verifies('TRANSFER-REFUSED-LEAVES-NOTHING'),
  async ({ given, need, check, platform, profile }) => {
    const agent = await given.agent();
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const legal = legalBody(agent);
    for (const { body, field, kind } of spread(mistakesIn(SCHEMA, legal), 1)) {
      const answer = await agent.call('transferOut', { body, label: `${field}: ${kind}` });
      if (answer.exchange.response && answer.accepted)
        need.offered(false, 'a transfer-out with a mistake was accepted, which is told by its own rule');
    }
    // Fees may come on top: two of what one costs would be one too many.
    const single = await account.mustMove(ORDINARY_AMOUNT);
    const forbidden = single + ORDINARY_AMOUNT / 2;
    const taken = await account.watch(forbidden);
    await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(taken.amount).toBeLessThan(forbidden), [
      taken.answer,
    ]);
  },
);

test(
  'of two mistakes in a transfer-out both are named',
  verifies(
    'ERROR-FIELD-ERRORS-ALL-AT-ONCE',
    'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
    'ERROR-FIELD-ERRORS-PATH',
    'TRANSFER-INVALID-STATUS',
  ),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const legal = legalBody(agent);
    need(
      await agent.call('transferOut', { body: legal, label: 'the transfer-out without a mistake' }),
    ).accepted();
    const send = (body: object, label: string) => agent.call('transferOut', { body, label });

    await survey(
      check,
      mistakePairs(SCHEMA, legal),
      async ([one, other, both], on) => {
        const pair = [one, other];
        const wanted = pair.map(({ field }) => field);
        const known: string[] = [];
        // Only what is named when it is the only mistake must be named beside another one.
        for (const { field, kind, body } of pair) {
          const alone = on.told(await send(body, `${field}: ${kind}`));
          const named = fieldsNamed(alone) ?? [];
          if (named.some((path) => leadsTo(path, field))) known.push(field);
          if (named.some((path) => sameLastStep(path, field)))
            await on.hold('ERROR-FIELD-ERRORS-PATH', () =>
              expect(
                (fieldsNamed(alone) ?? []).filter(
                  (path) => sameLastStep(path, field) && !leadsTo(path, field),
                ),
                'paths that do not lead to the field',
              ).toEqual([]),
            );
        }
        const together = on.told(
          await send(both, pair.map(({ field, kind }) => `${field}: ${kind}`).join(', ')),
        );
        on.must(sentBody(SHAPE, together) === 'illegal', 'what was sent is legal');
        if (pair.every(isInvalidParameter))
          await on.hold('TRANSFER-INVALID-STATUS', () => expect(together).toHaveHttpStatus(400));
        on.must(known.length === wanted.length && fieldsNamed(together), 'its refusals name no fields');
        await on.hold('ERROR-FIELD-ERRORS-ALL-AT-ONCE', () => {
          const named = fieldsNamed(together) ?? [];
          const silent = wanted.filter((field) => !named.some((path) => leadsTo(path, field)));
          expect(silent, 'wrong fields that are not named').toEqual([]);
        });
        await on.hold('ERROR-FIELD-ERRORS-ONE-PER-FIELD', () => {
          const named = fieldsNamed(together) ?? [];
          expect(named, 'fields named').toEqual([...new Set(named)]);
        });
      },
      { runs: 24 },
    );
  },
);

function sameLastStep(path: string, field: string): boolean {
  const last = (text: string) =>
    text
      .split(/[./[\]]/)
      .filter((step) => step !== '')
      .at(-1);
  return last(path) === last(field);
}

/** The rule that a mistake breaks; undefined where none speaks of it. */
function ruleOfMistake(mistake: Mistake): string | undefined {
  return RULES.find(([, of]) => of(mistake))?.[0];
}

/**
 * Whether the text settles the status. An id of the wrong form may as well name no account, and an amount beyond 64 bits be
 * over a limit.
 */
function isInvalidParameter({ kind }: Mistake): boolean {
  return kind !== 'not of its form' && kind !== 'beyond 64 bits';
}
