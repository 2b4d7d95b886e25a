import { expect, test, verifies } from '../../suite/index.ts';
import { bodyOf } from '../support/quotes.ts';

/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';

test(
  'without acceptance of the end-user terms a quote is refused',
  verifies('QUOTE-TERMS-NOT-ACCEPTED'),
  async ({ given, check, need }) => {
    need(await (await given.customer({ termsAccepted: true })).create()).accepted();
    const customer = await given.customer({ termsAccepted: false });
    const refused = await customer.create({}, { label: 'a quote without acceptance of the terms' });
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => {
      expect(refused).toHaveHttpStatus(403);
      expect(refused).toHaveCode('END_USER_TERMS_NOT_ACCEPTED');
    });
  },
);

test(
  'once the acceptance is on file the same request is accepted',
  verifies('QUOTE-TERMS-ON-FILE'),
  async ({ given, check, need }) => {
    need(await (await given.customer({ termsAccepted: true })).create()).accepted();
    const customer = await given.customer({ termsAccepted: false });
    need(await customer.create({}, { label: 'a quote without acceptance of the terms' })).refused();
    need.offered(customer.state.termsVersion, 'the version of the current terms is not known');
    const consent = await customer.call('updateCustomer', {
      label: 'recording the acceptance of the terms',
      path: { customerId: customer.state.customerId },
      body: {
        customerType: 'INDIVIDUAL',
        endUserTermsConsent: {
          acceptedAt: new Date().toISOString(),
          ipAddress: USER_IP,
          termsVersion: customer.state.termsVersion,
          acceptanceMethod: 'CLICK_TO_ACCEPT',
        },
      },
    });
    need(consent).available();
    const again = await customer.create({}, { label: 'the same quote after acceptance of the terms' });
    // The names within endUserTermsConsent are not shown.
    await check('QUOTE-TERMS-ON-FILE', () => expect(again).toBeAccepted(), {
      assumes: ['bodies.updateCustomer'],
    });
  },
);

test(
  'a customer that is not ready',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, check, observe, profile }) => {
    const ready = await (
      await given.customer({ ready: true })
    ).create({}, { label: 'a quote of a ready customer' });
    await check('QUOTE-CREATE-ACCEPTED', () => expect(ready).toBeAccepted(), bodyOf(profile));
    const unready = await given.customer({ ready: false });
    observe(
      'quote-customer-not-ready-answer',
      await unready.create({}, { label: 'a quote of an unready customer' }),
    );
  },
);
