import { randomUUID } from 'node:crypto';
import { expect, test, verifies, type Need, type ScaLoop } from '../../suite/index.ts';
import { addAgent, MAY_EXECUTE } from '../support/agents.ts';
import { goneAsFarAsCan, mustAwait } from '../support/sca.ts';

const IN_TEN_YEARS = 10 * 365 * 24 * 3_600_000;

for (const kind of ['ACCOUNT', 'REALTIME_FUNDING'] as const)
  test(
    `a quote from ${kind} that waits for authorization cannot be executed`,
    verifies('QUOTE-AUTHORIZATION-BEFORE-EXECUTION'),
    async ({ given, check, need, observe }) => {
      const customer = await given.scaCustomer({ kind });
      const control = await mustAwait(customer, 'a quote that will be authorized');
      const loop = await customer.authorizeAll(control);
      mustLeave(need, loop);
      // Where the last authorization sets the execution going, there is nothing left to execute.
      if (loop.last.quote.status === 'PENDING') {
        const executed = await customer.execute(control.quote.id, 'executing the authorized quote');
        const isOver = ({ status }: { readonly status?: unknown }) => status === 'COMPLETED';
        const last = executed.refused ? await customer.until(control.quote.id, isOver) : undefined;
        if (!last || !isOver(last.quote)) need(executed).available();
      }

      const { quote } = await mustAwait(customer);
      const early = await customer.execute(quote.id, 'executing before the authorization');
      observe('quote-unauthorized-execute-answer', early);
      const { outcome, answers, assumes = [] } = await customer.outcome(early, quote.id);
      need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
      await check('QUOTE-AUTHORIZATION-BEFORE-EXECUTION', () => expect(outcome).toBe('not executed'), {
        evidence: answers,
        assumes,
      });
    },
  );

test(
  'a quote that waits for authorization cannot be executed by an agent either',
  verifies('QUOTE-AUTHORIZATION-BEFORE-EXECUTION'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer();
    const beside = await given.agent();
    const { authorization } = await addAgent(beside, MAY_EXECUTE, customer.state.customerId);
    const execute = (quoteId: unknown, label: string) =>
      beside.platform.call('executeAgentQuote', { label, path: { quoteId: String(quoteId) }, authorization });
    const control = await mustAwait(customer, 'a quote that will be authorized');
    const loop = await customer.authorizeAll(control);
    mustLeave(need, loop);
    need.offered(loop.last.quote.status === 'PENDING', 'the last authorization sets the execution going');
    need(await execute(control.quote.id, 'the agent executes the authorized quote')).available();

    const { quote } = await mustAwait(customer);
    const early = await execute(quote.id, 'the agent executes before the authorization');
    const { outcome, answers } = await customer.outcome(early, quote.id);
    need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
    await check('QUOTE-AUTHORIZATION-BEFORE-EXECUTION', () => expect(outcome).toBe('not executed'), answers);
  },
);

for (const challenges of [1, 2])
  test(
    `instructions of realtime funding are issued after ${challenges} of ${challenges} authorizations`,
    verifies('QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION', 'QUOTE-INSTRUCTIONS-WITHHELD'),
    async ({ given, check, need, observe }) => {
      const customer = await given.scaCustomer({ challenges, kind: 'REALTIME_FUNDING' });
      const created = await mustAwait(customer);
      // A read while it waits is held to the rule that instructions are withheld.
      await customer.read(created.quote.id);
      const loop = await customer.authorizeAll(created);
      mustLeave(need, loop);
      observe('quote-state-after-authorization', loop.last.quote.status ?? 'none', loop.last.answer);
      const issued = (quote: { readonly paymentInstructions?: readonly unknown[] }) =>
        (quote.paymentInstructions ?? []).length > 0;
      const later = issued(loop.last.quote) ? undefined : await customer.until(created.quote.id, issued);
      const last = later ?? loop.last;
      // "Then issued": the text names no time for it.
      await check(
        'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION',
        () =>
          expect(
            last.quote.paymentInstructions ?? [],
            'payment instructions after the last authorization',
          ).not.toEqual([]),
        { assumes: ['effectSeconds'] },
      );
    },
  );

test(
  'a scaChallenge that the caller sends is not taken',
  verifies('QUOTE-SCA-CHALLENGE-READ-ONLY'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ factor: 'SMS_OTP' });
    await mustAwait(customer, 'a quote without a challenge of ours');
    const scaChallenge = {
      id: `ScaChallenge:${randomUUID()}`,
      expiresAt: new Date(Date.now() + IN_TEN_YEARS).toISOString(),
      factor: 'SMS_OTP',
      availableFactors: ['SMS_OTP'],
    };
    const answer = await customer.create({ scaChallenge }, 'a quote with a challenge of ours');
    observe('sca-challenge-sent', answer.outcome, answer);
    // What cannot be written may also be refused.
    const seen = answer.accepted ? await goneAsFarAsCan(customer, answer) : undefined;
    if (seen) need.that(seen.quote.scaChallenge, 'the quote shows no challenge');
    await check(
      'QUOTE-SCA-CHALLENGE-READ-ONLY',
      () => {
        if (!seen) expect(answer).toBeRefused();
        expect(seen?.quote.scaChallenge?.id).not.toBe(scaChallenge.id);
        expect(seen?.quote.scaChallenge?.expiresAt).not.toBe(scaChallenge.expiresAt);
      },
      [answer],
    );
  },
);

function mustLeave(need: Need, { end, says }: ScaLoop): void {
  need.that(end === 'left', says);
}
