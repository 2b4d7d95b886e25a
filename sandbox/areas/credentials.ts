import type { Area } from '../core/area.ts';
import { credentialRoutes } from '../routes/credentials/credentials.ts';
import { loginRoutes } from '../routes/credentials/logins.ts';
import { sessionRoutes } from '../routes/credentials/sessions.ts';
import { walletRoutes } from '../routes/credentials/wallets.ts';
import { updateCustomerRoute } from '../routes/customers/update-customer.ts';
import { newWalletState } from '../states/new-wallet.ts';
import { otpCodeState } from '../states/otp-code.ts';
import { walletAccountState } from '../states/wallet-account.ts';
import { walletPaymentState } from '../states/wallet-payment.ts';

export const credentialsArea: Area = {
  name: 'credentials',
  routes: [...credentialRoutes, ...loginRoutes, ...sessionRoutes, ...walletRoutes, updateCustomerRoute],
  states: [walletAccountState, newWalletState, walletPaymentState, otpCodeState],
};
