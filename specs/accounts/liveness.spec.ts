import { expect, Ownership, test, verifies } from '../../suite/index.ts';
import { ACTIVE, PENDING, UNVERIFIED } from '../support/accounts.ts';

for (const [outcome, status] of [
  ['PASSED', ACTIVE],
  ['FAILED', UNVERIFIED],
] as const)
  test(
    `a hosted liveness check that ends as ${outcome} makes the account ${status}`,
    verifies('ACCOUNT-LIVENESS'),
    async ({ given, need, check }) => {
      const customer = await given.customer({ ownership: 'PENDING' });
      const externalAccountId = need.offered(
        customer.state.destinationAccountId,
        'the state names no destination account',
      );
      // Nothing is signed here: the check is a person's, and the state says how it has ended.
      const ownership = new Ownership(customer, externalAccountId, '');
      const before = need.offered(
        await ownership.look(),
        'this target offers no read of an external account',
      );
      need.that(before.status === PENDING, `the account starts as ${before.status}, not as ${PENDING}`);
      // Some services want it asked for; how one that does not answers is its own matter.
      await ownership.challenge('LIVENESS');
      await given.state('liveness', { externalAccountId, outcome });
      const after = need.offered(await ownership.leaves(PENDING), 'the account could not be read again');
      await check('ACCOUNT-LIVENESS', () => expect(after.status).toBe(status), {
        evidence: [before.answer, after.answer],
        assumes: ['effectSeconds'],
      });
    },
  );
