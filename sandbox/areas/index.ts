import type { Area } from '../server/area.ts';
import { steeringRoutes } from '../steering/operations.ts';
import { externalAccountRoutes, internalAccountRoutes, ownershipRoutes } from './accounts/operations.ts';
import { managingRoutes, ownRoutes } from './agents/operations.ts';
import { agentState, executionFailureState, purposeRequiredState } from './agents/states.ts';
import { credentialRoutes, loginRoutes } from './credentials/operations.ts';
import { sessionRoutes, walletRoutes } from './credentials/session-operations.ts';
import {
  newWalletState,
  otpCodeState,
  walletAccountState,
  walletPaymentState,
} from './credentials/states.ts';
import {
  contactRoutes,
  customerRoutes,
  termsRoute,
  updateCustomerRoute,
  verificationRoute,
} from './customers/operations.ts';
import {
  customerState,
  dueDiligenceState,
  foreignAccountsState,
  livenessState,
  termsState,
  verificationState,
} from './customers/states.ts';
import { deliveryRoutes, testEventRoutes } from './events/operations.ts';
import { refundStates, webhookState } from './events/states.ts';
import { cardRoutes, configRoutes, stablecoinRoutes } from './platform/operations.ts';
import {
  cardState,
  cardTransactionState,
  clockState,
  otherPlatformState,
  platformConfigState,
  stablecoinState,
} from './platform/states.ts';
import { quoteRoutes, ratesRoute } from './quotes/operations.ts';
import { agentQuoteState, exchangeRateState, quoteExpiryState, quoteSourceState } from './quotes/states.ts';
import { scaLoginRoutes } from './sca/operations.ts';
import { scaCustomerState } from './sca/states.ts';
import {
  decisionRoutes,
  operationRoutes,
  transactionsRoute,
  transferInRoute,
} from './transfers/operations.ts';

/** Every part of the service. A new area is added here, and what can be replaced of it in behaviour.ts. */
export const areas: readonly Area[] = [
  { name: 'auth', routes: [], states: [otherPlatformState, clockState] },
  {
    name: 'customers',
    routes: [...customerRoutes, updateCustomerRoute, termsRoute, verificationRoute, ...contactRoutes],
    states: [customerState, termsState, dueDiligenceState, verificationState],
  },
  {
    name: 'accounts',
    routes: [...internalAccountRoutes, ...externalAccountRoutes, ...ownershipRoutes],
    states: [foreignAccountsState, livenessState],
  },
  { name: 'agents', routes: [...managingRoutes, ...ownRoutes], states: [agentState] },
  {
    name: 'transfers',
    routes: [...operationRoutes, transferInRoute, ...decisionRoutes, transactionsRoute],
    states: [executionFailureState, purposeRequiredState],
  },
  {
    name: 'quotes',
    routes: [...quoteRoutes, ratesRoute],
    states: [quoteSourceState, quoteExpiryState, agentQuoteState, exchangeRateState],
  },
  { name: 'sca', routes: scaLoginRoutes, states: [scaCustomerState] },
  { name: 'credentials', routes: [...credentialRoutes, ...loginRoutes], states: [otpCodeState] },
  { name: 'sessions', routes: sessionRoutes, states: [] },
  {
    name: 'wallets',
    routes: walletRoutes,
    states: [walletAccountState, newWalletState, walletPaymentState],
  },
  { name: 'cards', routes: cardRoutes, states: [cardState, cardTransactionState] },
  { name: 'stablecoins', routes: stablecoinRoutes, states: [stablecoinState] },
  { name: 'platform', routes: configRoutes, states: [platformConfigState] },
  { name: 'sandbox', routes: steeringRoutes, states: [] },
  {
    name: 'events',
    routes: [...testEventRoutes, ...deliveryRoutes],
    states: [webhookState, ...refundStates],
  },
];
