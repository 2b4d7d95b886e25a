import { randomUUID } from 'node:crypto';
import { pathValuesBeside } from '../../generators/ids.ts';
import { enumOf } from '../../schemas/openapi.ts';
import {
  credentialRequests,
  expect,
  idsOf,
  lower,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
} from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';
import { sameId } from '../../suite/same-id.ts';
import { ABOVE, pending, readAction, THRESHOLD } from '../support/actions.ts';
import { mustAwait } from '../support/sca.ts';
import { notAccepted } from '../support/refusals.ts';

const ENDS = ['source', 'destination'] as const;
type End = (typeof ENDS)[number];

/** An account that a transfer-out may name and that is not the agent's customer's. */
interface Stranger {
  readonly says: string;
  readonly kind: 'unknown' | 'malformed' | 'foreign';
  readonly of: (parts: { agent: Agent; other: Agent; end: End }) => string;
}

const FORMS: Readonly<Record<End, string>> = { source: 'InternalAccount', destination: 'ExternalAccount' };
const ownOf = ({ state }: Agent, end: End) =>
  end === 'source' ? state.sourceAccountId : state.destinationAccountId;

const STRANGERS: readonly Stranger[] = [
  { says: 'never issued', kind: 'unknown', of: ({ end }) => `${FORMS[end]}:${randomUUID()}` },
  {
    says: 'one digit beside a real one',
    kind: 'unknown',
    of: ({ agent, end }) => ownOf(agent, end).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  },
  {
    says: 'of the nil uuid',
    // A reader of uuids may take it for none.
    kind: 'malformed',
    of: ({ end }) => `${FORMS[end]}:00000000-0000-0000-0000-000000000000`,
  },
  { says: "another customer's", kind: 'foreign', of: ({ other, end }) => ownOf(other, end) },
  {
    says: "the other end's, under this name",
    kind: 'unknown',
    of: ({ agent, end }) =>
      `${FORMS[end]}:${ownOf(agent, end === 'source' ? 'destination' : 'source').split(':')[1] ?? ''}`,
  },
];

const ACCOUNT_RULES = {
  unknown: { source: 'TRANSFER-SOURCE-UNKNOWN', destination: 'TRANSFER-DESTINATION-UNKNOWN' },
  foreign: { source: 'TRANSFER-SOURCE-FOREIGN', destination: 'TRANSFER-DESTINATION-FOREIGN' },
} as const;

const NO_RECORD = 'GENERAL-ID-NAMES-NO-RECORD';

test(
  "a transfer-out names accounts of the agent's customer, and no others",
  verifies(...Object.values(ACCOUNT_RULES).flatMap((rules) => Object.values(rules))),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const other = await given.agent();
    need(
      await agent.transferOut({}, { label: "a transfer-out between the customer's own accounts" }),
    ).accepted();
    need(await other.transferOut({}, { label: 'the same for the other customer' })).accepted();
    const inputs = ENDS.flatMap((end) => STRANGERS.map((_, at) => ({ end, at })));

    await survey(check, inputs, async ({ end, at }, on) => {
      const { says, kind, of } = on.must(STRANGERS[at], 'there is no such account');
      on.must(kind !== 'foreign' || !sameId(agent.state.customerId, other.state.customerId), 'one customer');
      const accountId = of({ agent, other, end });
      const answer = on.told(
        await agent.transferOut({ [end]: { accountId } }, { label: `a transfer-out with a ${end} ${says}` }),
      );
      if (kind === 'foreign')
        return on.hold(ACCOUNT_RULES.foreign[end], () => expect(answer).toBeRefused(400, 403, 404));
      const statuses = kind === 'malformed' ? [400, 404] : [404];
      return on.hold(ACCOUNT_RULES.unknown[end], () => expect(answer).toBeRefused(...statuses));
    });
  },
);

test(
  'of all rails those of the destination are taken, and no others',
  verifies('TRANSFER-RAIL-SUPPORTED', 'TRANSFER-RAIL-UNSUPPORTED', 'TRANSFER-RAIL-DEFAULT'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const supported = agent.state.supportedRails ?? [];
    need.offered(supported.length > 0, 'which rails the destination supports is not known');
    const send = (paymentRail: string | undefined, label: string) =>
      agent.transferOut(
        {
          destination: {
            accountId: agent.state.destinationAccountId,
            ...(paymentRail === undefined ? {} : { paymentRail }),
          },
        },
        { label },
      );
    const first = await send(supported[0], `a transfer-out by ${supported[0]}`);
    const without = await send(undefined, 'a transfer-out that names no rail');
    need.that(
      [first, without].some((answer) => answer.exchange.response && answer.accepted),
      'no transfer-out is taken',
    );

    await survey(check, ['no rail', ...enumOf('PaymentRail')], async (rail, on) => {
      if (rail === 'no rail') {
        on.must(first.exchange.response && first.accepted, 'the control was refused');
        return on.hold('TRANSFER-RAIL-DEFAULT', () => expect(on.told(without)).toBeAccepted());
      }
      const answer = on.told(await send(rail, `a transfer-out by ${rail}`));
      if (supported.includes(rail))
        return on.hold('TRANSFER-RAIL-SUPPORTED', () => expect(answer).toBeAccepted());
      on.must(first.exchange.response && first.accepted, 'the control was refused');
      return on.hold('TRANSFER-RAIL-UNSUPPORTED', () => notAccepted(answer));
    });
  },
);

test('an id that names no action approves none', verifies(NO_RECORD), async ({ given, need, check }) => {
  const agent = await given.agent({ approvalThreshold: THRESHOLD });
  const { id } = await pending(agent, ABOVE);

  await survey(check, pathValuesBeside(id), async ({ says, value }, on) => {
    const answer = on.told(await agent.approve(value, { label: `approving an action, id ${says}` }));
    await on.hold(NO_RECORD, () => notAccepted(answer));
  });
  const seen = await readAction(agent, id);
  if (seen) await check(NO_RECORD, () => expect(seen.action.status).toBe('PENDING_APPROVAL'));
  // What was refused was the id: with the right one the same call goes through.
  need(await agent.approve(id)).accepted();
});

test(
  'an id that names no credential gets no challenge, no session and no revocation',
  verifies(NO_RECORD),
  async ({ given, need, check }) => {
    const { wallet, credential, session } = await given.signedIn('OAUTH');
    const ways: readonly (readonly [string, (id: string, label: string) => Promise<Answer>])[] = [
      ['revoking', async (id) => (await wallet.revoke(id, session)).answer],
      [
        'challenging',
        async (id, label) => wallet.send(credentialRequests.challenge(id, undefined), { label }),
      ],
      [
        'verifying',
        async (id, label) =>
          (await wallet.login(credential, { verify: (request) => ({ ...request, path: { id }, label }) }))
            .answer,
      ],
    ];
    const inputs = ways.flatMap(([way, send]) =>
      pathValuesBeside(credential.id).map(({ says, value }) => ({ way, says, value, send })),
    );

    await survey(
      check,
      inputs.map(({ way, says, value }) => ({ way, says, value })),
      async ({ way, says, value }, on) => {
        const send = on.must(ways.find(([name]) => name === way)?.[1], 'there is no such way');
        const answer = on.told(await send(value, `${way}, id ${says}`));
        await on.hold(NO_RECORD, () => notAccepted(answer));
      },
    );
    const list = await listUntil(wallet, (seen) => idsOf(seen).includes(lower(credential.id)));
    if (list.exchange.response && list.accepted)
      await check(NO_RECORD, () => expect(idsOf(list)).toContain(lower(credential.id)), [list]);
    need((await wallet.probe(session)).answer).accepted();
  },
);

test('an id that names no quote authorizes none', verifies(NO_RECORD), async ({ given, need, check }) => {
  const customer = await given.scaCustomer({ challenges: 1 });
  const { quote, challenge } = await mustAwait(customer);
  const proof = customer.mustProve(challenge);

  await survey(check, pathValuesBeside(String(quote.id)), async ({ says, value }, on) => {
    const answer = on.told(await customer.authorize(value, proof, `authorizing a quote, id ${says}`));
    await on.hold(NO_RECORD, () => notAccepted(answer));
  });
  need(
    need.that(await customer.prove(quote.id, challenge), 'the challenge cannot be proved here'),
  ).accepted();
});

test('what becomes of ids that name no record elsewhere is left open', async ({ given, need, observe }) => {
  const customer = await given.customer();
  const { quote } = await customer.mustCreate();
  need(await customer.read(quote.id)).available();
  const outcomes = new Set<string>();
  for (const { says, value } of pathValuesBeside(String(quote.id)))
    outcomes.add((await customer.read(value, { label: `reading a quote, id ${says}` })).outcome);
  observe('path-id-outcomes', [...outcomes].sort());
});
