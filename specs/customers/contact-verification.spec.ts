import { expect, test, verifies, type QuoteCustomer } from '../../suite/index.ts';

/** Sent where no code was given; a customer without contact verification has none. */
const ANY_CODE = '123456';
const CONTACTS = [
  ['e-mail', 'verifyEmail', 'confirmEmail', 'CONTACT-EMAIL-NOT-APPLICABLE'],
  ['phone', 'verifyPhone', 'confirmPhone', 'CONTACT-PHONE-NOT-APPLICABLE'],
] as const;

const call = (customer: QuoteCustomer, operation: string, label: string, body?: object) =>
  customer.call(operation, {
    label,
    path: { customerId: customer.state.customerId },
    ...(body === undefined ? {} : { body }),
  });

for (const [contact, start, confirm, rule] of CONTACTS) {
  test(
    `the ${contact} endpoints answer 409 where the payment provider does not ask for them`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      // The paths are not shown: for a customer of the other kind they must work, else they may not be there.
      const mandated = await given.customer({ contactVerification: true });
      need(await call(mandated, start, `asking for a code by ${contact}, where it applies`)).available();
      const customer = await given.customer({ contactVerification: false });
      const asked = await call(customer, start, `asking for a code by ${contact}, where it does not apply`);
      const confirmed = await call(customer, confirm, `confirming the ${contact}, where it does not apply`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      await check(rule, () => expect(asked).toBeRefused(409));
      await check(rule, () => expect(confirmed).toBeRefused(409));
      observe(
        'contact-not-applicable-code',
        { [contact]: asked.code ?? 'none', confirm: confirmed.code ?? 'none' },
        asked,
        confirmed,
      );
      observe('bodies-of-409-423-429', { status: asked.outcome, code: asked.code ?? 'none' }, asked);
    },
  );

  test(
    `a code for the ${contact} can be asked for and confirmed where the payment provider mandates it`,
    verifies('CONTACT-APPLICABLE'),
    async ({ given, need, check, observe }) => {
      const customer = await given.customer({ contactVerification: true });
      const asked = await call(customer, start, `asking for a code by ${contact}`);
      // The path is not shown: where it is not there, nothing is verified.
      need.offered(
        asked.exchange.response !== undefined && ![404, 405, 501].includes(asked.status),
        `this target does not offer "${asked.label}" (${asked.outcome})`,
      );
      await check('CONTACT-APPLICABLE', () => expect(asked).not.toHaveHttpStatus(409));
      need(asked).accepted();
      const confirmed = await call(customer, confirm, `confirming the ${contact}`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      need.offered(
        ![404, 405, 501].includes(confirmed.exchange.response?.status ?? 404),
        `this target does not offer "${confirmed.label}" (${confirmed.outcome})`,
      );
      await check('CONTACT-APPLICABLE', () => expect(confirmed).not.toHaveHttpStatus(409));
      // Without the code itself a refusal of the guess is right.
      if (customer.state.contactCode !== undefined)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).toBeAccepted());
      observe(
        'contact-verification-operations',
        { contact, asked: asked.outcome, confirmed: confirmed.outcome },
        asked,
        confirmed,
      );
    },
  );
}
