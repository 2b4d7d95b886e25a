import { pathValuesBeside } from '../../generators/ids.ts';
import {
  credentialRequests,
  expect,
  idsOf,
  lower,
  succeeded,
  survey,
  test,
  verifies,
  type Answer,
} from '../../suite/index.ts';
import { listUntil } from '../support/credentials.ts';
import { ABOVE, pending, readAction, THRESHOLD } from '../support/actions.ts';
import { needAwait } from '../support/sca.ts';
import { notAccepted } from '../support/refusals.ts';

const NO_RECORD = 'GENERAL-ID-NAMES-NO-RECORD';

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
    const isListed = (seen: Answer) => idsOf(seen).includes(lower(credential.id));
    const before = await listUntil(wallet, isListed);
    const wasListed = succeeded(before) && isListed(before);
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
    // Two of the three try each value.
    const inputs = ways.flatMap(([way], at) =>
      pathValuesBeside(credential.id)
        .filter((_, index) => index % ways.length !== at)
        .map(({ says, value }) => ({ way, says, value })),
    );

    await survey(check, inputs, async ({ way, says, value }, on) => {
      const send = on.need.that(ways.find(([name]) => name === way)?.[1], 'there is no such way');
      const answer = on.told(await send(value, `${way}, id ${says}`));
      await on.hold(NO_RECORD, () => notAccepted(answer));
    });
    const list = await listUntil(wallet, isListed);
    if (wasListed && list.exchange.response && list.accepted)
      await check(NO_RECORD, () => expect(idsOf(list)).toContain(lower(credential.id)), [list]);
    need((await wallet.tryKey(session)).answer).accepted();
  },
);

test('an id that names no quote authorizes none', verifies(NO_RECORD), async ({ given, need, check }) => {
  const customer = await given.scaCustomer({ challenges: 1 });
  const { quote, challenge } = await needAwait(customer);
  const proof = customer.needProve(challenge);

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
  const { quote } = await customer.needCreate();
  need(await customer.read(quote.id)).available();
  const outcomes = new Set<string>();
  for (const { says, value } of pathValuesBeside(String(quote.id)).slice(0, 6))
    outcomes.add((await customer.read(value, { label: `reading a quote, id ${says}` })).outcome);
  observe('path-id-outcomes', [...outcomes].sort());
});
