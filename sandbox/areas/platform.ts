import type { Area } from '../core/area.ts';
import { ownershipRoutes } from '../routes/accounts/ownership.ts';
import { contactRoutes } from '../routes/customers/contact.ts';
import { termsRoute } from '../routes/customers/terms.ts';
import { verificationRoute } from '../routes/customers/verifications.ts';
import { cardRoutes } from '../routes/platform/cards.ts';
import { configRoutes } from '../routes/platform/config.ts';
import { ratesRoute } from '../routes/platform/rates.ts';
import { stablecoinRoutes } from '../routes/platform/stablecoins.ts';
import { transactionsRoute } from '../routes/platform/transactions.ts';
import { dueDiligenceState, termsState, verificationState } from '../states/customer-data.ts';
import { exchangeRateState } from '../states/exchange-rate.ts';
import { platformConfigState } from '../states/platform-config.ts';
import { stablecoinState } from '../states/stablecoin.ts';

export const platformArea: Area = {
  name: 'platform',
  routes: [
    ...configRoutes,
    termsRoute,
    verificationRoute,
    ...contactRoutes,
    ...ownershipRoutes,
    ...stablecoinRoutes,
    ...cardRoutes,
    ratesRoute,
    transactionsRoute,
  ],
  states: [
    platformConfigState,
    termsState,
    dueDiligenceState,
    verificationState,
    stablecoinState,
    exchangeRateState,
  ],
};
