import { randomUUID } from 'node:crypto';
import { expect, test, verifies, WAITING, type QuoteSighting } from '../../suite/index.ts';
import { mustLogIn } from '../support/sca.ts';
import { mustAuthorize } from '../support/sca.ts';

for (const kind of ['ACCOUNT', 'REALTIME_FUNDING'] as const)
  test(
    `a customer outside SCA regions sees no challenge on a quote from ${kind}`,
    verifies('SCA-NEVER-ELSEWHERE'),
    async ({ given, check, need }) => {
      const customer = await given.quoteSource({ kind });
      const created = await customer.create();
      need(created).accepted();
      const first = need.offered(customer.sighting(created), 'no quote could be recognised in the answer');
      const executed = await customer.execute(first.quote.id);
      const all = [
        first,
        customer.sighting(await customer.read(first.quote.id)),
        customer.sighting(executed),
      ];
      for (const seen of all.filter((one): one is QuoteSighting => one !== undefined))
        await check('SCA-NEVER-ELSEWHERE', () => {
          expect(seen.quote.status).not.toBe(WAITING);
          expect(seen.quote.scaChallenge ?? undefined, 'the scaChallenge').toBeUndefined();
        });
    },
  );

test(
  'authorizing a quote of a customer outside SCA regions is refused',
  verifies('SCA-AUTHORIZE-NOT-APPLICABLE'),
  async ({ given, check, need, observe }) => {
    const inside = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
    await mustAuthorize(need, inside);
    const customer = await given.customer();
    const created = await customer.create();
    need(created).accepted();
    const { quote } = need.offered(customer.sighting(created), 'no quote could be recognised in the answer');
    const answer = await customer.authorize(quote.id, inside.prover.proof({ factor: 'SMS_OTP' }), {
      label: 'authorizing outside SCA regions',
    });
    observe('sca-not-applicable-code', answer);
    // Whether this is one of "the SCA endpoints", which answer 409, can be read in two ways.
    await check('SCA-AUTHORIZE-NOT-APPLICABLE', () => expect(answer).toBeRefused());
  },
);

test(
  'an SCA login of a customer outside SCA regions answers 409',
  verifies('SCA-LOGIN-NOT-APPLICABLE'),
  async ({ given, check, need, observe }) => {
    const inside = await given.scaCustomer({ factor: 'SMS_OTP' });
    // The control: an operation that is not there at all would be refused as well.
    await mustLogIn(need, inside, 'SMS_OTP');
    const { customerId } = (await given.customer()).state;
    const query = { customerId };
    const started = await inside.startLogin('SMS_OTP', {
      label: 'starting a login outside SCA regions',
      query,
    });
    observe('sca-not-applicable-code', started);
    const challenge = { id: `ScaChallenge:${randomUUID()}`, factor: 'SMS_OTP' };
    const completed = await inside.completeLogin(
      challenge,
      need.offered(inside.prover.proof(challenge), 'a login by SMS_OTP cannot be proved here'),
      { label: 'completing a login outside SCA regions', query },
    );
    await check('SCA-LOGIN-NOT-APPLICABLE', () => expect(started).toHaveHttpStatus(409));
    await check('SCA-LOGIN-NOT-APPLICABLE', () => expect(completed).toHaveHttpStatus(409));
  },
);
