import type { ScaCustomerParams } from '../../states/types.ts';
import type { StateParams, StateValues } from '../state-provider.ts';
import { fundedBy, payer } from './customers.ts';
import { refuseOdd } from './refuse-odd.ts';
import { EUROPEAN_ADDRESS, type Json, type Steps, USER_IP } from './steps.ts';

const FACTOR = 'SMS_OTP';
const UNDERSTOOD = new Set([
  ...['loggedIn', 'kind', 'currency', 'destinationCurrency'],
  // How many challenges there are, and what they are called, is the target's: nothing of it is promised.
  ...['challenges', 'purposes'],
]);
const ORDINARY: Readonly<Record<string, unknown>> = { factor: FACTOR, locked: false };

/**
 * State `sca-customer`: a customer in the EU, logged in by the code of sandboxes. The endpoints of SCA answer 409 for others, so
 * the login shows that it applies. Whether a new customer has a session before any login is the target's.
 */
export async function scaCustomer(steps: Steps, params: StateParams): Promise<StateValues> {
  refuseOdd('sca-customer', params, UNDERSTOOD, ORDINARY);
  const wanted = params as ScaCustomerParams;
  const customer = await steps.newCustomer(EUROPEAN_ADDRESS);
  const complete = await startLogin(steps, customer.customerId);
  if (wanted.loggedIn !== false) await complete();
  return fundedBy(wanted.kind, await payer(steps, customer, wanted));
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
