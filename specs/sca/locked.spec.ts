import { expect, test, verifies } from '../../suite/index.ts';
import { mustAuthorize, mustWait } from '../support/sca.ts';

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `a right proof by ${factor} against a locked account gets 423 ACCOUNT_LOCKED`,
    verifies('SCA-ACCOUNT-LOCKED'),
    async ({ given, check, need, observe }) => {
      await mustAuthorize(need, await given.scaCustomer({ challenges: 1, factor }));
      const customer = await given.scaCustomer({ challenges: 1, factor, locked: true });
      const { quote, challenge } = await mustWait(need, customer);
      const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
      const answer = await customer.authorize(quote.id, proof, {
        label: 'authorizing against a locked account',
      });
      await check('SCA-ACCOUNT-LOCKED', () => {
        expect(answer).toHaveHttpStatus(423);
        // Bodies of 423 are not shown: the code is judged where there is one.
        if (answer.code !== undefined) expect(answer).toHaveCode('ACCOUNT_LOCKED');
      });
      const details = answer.exchange.response
        ? (answer.body as { details?: object } | undefined)?.details
        : undefined;
      observe('sca-locked-details', details ? Object.keys(details).sort() : 'no details', answer);
    },
  );
