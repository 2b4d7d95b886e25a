import { expect, test, verifies, type Answer, type QuoteCustomer } from '../../suite/index.ts';

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

/** The paths are not shown: what is not there verifies nothing. */
const isThere = ({ exchange }: Answer) => ![404, 405, 501].includes(exchange.response?.status ?? 404);

for (const [contact, start, confirm, rule] of CONTACTS) {
  test(
    `the ${contact} endpoints answer 409 where the payment provider does not ask for them`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      // The paths are not shown: for a customer of the other kind they must work, else they may not be there.
      const mandated = await given.customer({ contactVerification: true });
      need(await call(mandated, start, `asking for a code by ${contact}, where it applies`)).available();
      const there = await call(mandated, confirm, `confirming the ${contact}, where it applies`, {
        code: mandated.state.contactCode ?? ANY_CODE,
      });
      const customer = await given.customer({ contactVerification: false });
      const asked = await call(customer, start, `asking for a code by ${contact}, where it does not apply`);
      const confirmed = await call(customer, confirm, `confirming the ${contact}, where it does not apply`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      await check(rule, () => expect(asked).toBeRefused(409));
      if (isThere(there)) await check(rule, () => expect(confirmed).toBeRefused(409));
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
      need.offered(isThere(asked), `this target does not offer "${asked.label}" (${asked.outcome})`);
      // Whatever else is refused may be so for a body that the target wants; 409 says that it does not apply.
      if (asked.exchange.response?.status !== 409) need(asked).accepted();
      await check('CONTACT-APPLICABLE', () => expect(asked).toBeAccepted());
      need(asked).accepted();
      const confirmed = await call(customer, confirm, `confirming the ${contact}`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      need.offered(
        isThere(confirmed),
        `this target does not offer "${confirmed.label}" (${confirmed.outcome})`,
      );
      // Without the code itself a refusal of the guess is right.
      if (customer.state.contactCode !== undefined)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).toBeAccepted(), {
          assumes: confirmed.exchange.response?.status === 409 ? [] : [`bodies.${confirm}`],
        });
      else if (confirmed.exchange.response?.status === 409)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).not.toHaveHttpStatus(409));
      observe(
        'contact-verification-operations',
        { contact, asked: asked.outcome, confirmed: confirmed.outcome },
        asked,
        confirmed,
      );
    },
  );
}
