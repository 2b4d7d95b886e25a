import type { Area } from '../core/area.ts';
import { quoteRoutes } from '../routes/quotes/quotes.ts';
import { transferInRoute } from '../routes/quotes/transfer-in.ts';
import { scaLoginRoutes } from '../routes/sca/logins.ts';
import { agentQuoteState } from '../states/agent-quote.ts';
import { customerState } from '../states/customer.ts';
import { quoteExpiryState } from '../states/quote-expiry.ts';
import { quoteSourceState } from '../states/quote-source.ts';
import { scaCustomerState } from '../states/sca-customer.ts';

export const quotesArea: Area = {
  name: 'quotes',
  routes: [...quoteRoutes, transferInRoute, ...scaLoginRoutes],
  states: [customerState, quoteSourceState, quoteExpiryState, scaCustomerState, agentQuoteState],
};
