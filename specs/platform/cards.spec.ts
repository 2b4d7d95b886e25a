import { expect, sendRequest, test, verifies, type StateRequest } from '../../suite/index.ts';
import { fieldsOf } from '../support/customers.ts';

interface Cardholder {
  readonly issue: StateRequest;
}

const CODE = 'CARDHOLDER_KYC_NOT_APPROVED';

for (const kyc of ['PENDING', 'REJECTED'])
  test(
    `a card for a cardholder whose KYC is ${kyc} is refused`,
    verifies('CARD-KYC-REQUIRED'),
    async ({ given, need, check, platform }) => {
      const approved = await given.state<Cardholder>('card', { kyc: 'APPROVED' }, ['issue']);
      need(
        await sendRequest(platform, approved.issue, 'a card for a cardholder whose KYC is APPROVED'),
      ).accepted();
      const { issue } = await given.state<Cardholder>('card', { kyc }, ['issue']);
      const answer = await sendRequest(platform, issue, `a card for a cardholder whose KYC is ${kyc}`);
      await check('CARD-KYC-REQUIRED', () => {
        expect(answer).toBeRefused(400);
        expect(answer).toHaveCode(CODE);
      });
    },
  );

test(
  'a card for a cardholder whose KYC is APPROVED is not refused for it',
  verifies('CARD-KYC-APPROVED'),
  async ({ given, need, check, platform, observe }) => {
    const { issue } = await given.state<Cardholder>('card', { kyc: 'APPROVED' }, ['issue']);
    const answer = await sendRequest(platform, issue, 'a card for a cardholder whose KYC is APPROVED');
    // Refused for something else, it shows nothing about the KYC.
    if (answer.exchange.response && answer.code !== CODE) need(answer).accepted();
    await check('CARD-KYC-APPROVED', () => expect(answer).toBeAccepted());
    observe(
      'card-issuance-operation',
      { request: `${issue.method} ${issue.path}`, status: answer.outcome, shown: fieldsOf(answer) },
      answer,
    );
  },
);
