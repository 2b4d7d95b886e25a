import type { ScaCustomerParams } from '../../states/types.ts';
import { CannotPrepare, type StateParams, type StateValues } from '../state-provider.ts';
import { fundedBy, payer } from './customers.ts';
import { EUROPEAN_ADDRESS, type Json, type Steps } from './steps.ts';

const FACTOR = 'SMS_OTP';
/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';
/** How many challenges there are, and what they are called, is the target's: nothing of it is promised. */
const LEFT_TO_THE_TARGET = new Set(['challenges', 'purposes']);
const UNDERSTOOD = new Set(['loggedIn', 'kind', 'currency', 'destinationCurrency']);
const ORDINARY: Readonly<Record<string, unknown>> = { factor: FACTOR, locked: false };

/**
 * State `sca-customer`: a customer in the EU, logged in by the code of sandboxes. The endpoints of SCA answer 409 for others, so
 * the login shows that it applies. Whether a new customer has a session before any login is the target's.
 */
export async function scaCustomer(steps: Steps, params: StateParams): Promise<StateValues> {
  const odd = Object.keys(params)
    .filter((name) => !LEFT_TO_THE_TARGET.has(name) && !UNDERSTOOD.has(name))
    .filter((name) => ORDINARY[name] !== params[name])
    .sort();
  if (odd.length > 0)
    throw new CannotPrepare(
      `an SCA customer with ${odd.join(', ')} cannot be prepared by public calls: serve it at PROVIDER_STATES_URL`,
      undefined,
      `serve the state \`sca-customer\` with ${odd.map((name) => `\`${name}\``).join(' and ')}`,
    );
  const { kind, currency, destinationCurrency, loggedIn = true } = params as ScaCustomerParams;
  const customer = await steps.newCustomer(EUROPEAN_ADDRESS);
  const complete = await startLogin(steps, customer.customerId);
  if (loggedIn) await complete();
  const values = await payer(steps, customer, {
    ...(currency === undefined ? {} : { currency }),
    ...(destinationCurrency === undefined ? {} : { destinationCurrency }),
  });
  return fundedBy(kind, values);
}

/** @returns completes the login */
async function startLogin(steps: Steps, customerId: string): Promise<() => Promise<void>> {
  const query = { customerId };
  const started: Json = await steps.call('startScaLogin', {
    label: 'preparing: starting the SCA login of a customer in the EU',
    query,
    body: steps.body('startScaLogin', { factor: FACTOR }),
  });
  const { field, code } = steps.profile.dialect.scaProof;
  return async () => {
    await steps.call('completeScaLogin', {
      label: 'preparing: completing the SCA login',
      query,
      body: steps.body('completeScaLogin', {
        factor: FACTOR,
        challengeId: started?.challengeId ?? started?.id,
        [field]: code,
        endUserIpAddress: USER_IP,
      }),
    });
  };
}
