import type { Area } from '../server/area.ts';
import { steeringRoutes } from '../steering/operations.ts';
import { accountRoutes } from './accounts/operations.ts';
import { agentRoutes } from './agents/operations.ts';
import { agentStates } from './agents/states.ts';
import { credentialRoutes, loginRoutes } from './credentials/operations.ts';
import { sessionRoutes, walletRoutes } from './credentials/session-operations.ts';
import { walletStates } from './credentials/states.ts';
import { customerRoutes } from './customers/operations.ts';
import { customerStates } from './customers/states.ts';
import { deliveryRoutes, testEventRoutes } from './events/operations.ts';
import { eventStates } from './events/states.ts';
import { cardRoutes, configRoutes, stablecoinRoutes } from './platform/operations.ts';
import { platformStates } from './platform/states.ts';
import { quoteRoutes } from './quotes/operations.ts';
import { quoteStates } from './quotes/states.ts';
import { scaLoginRoutes } from './sca/operations.ts';
import { scaStates } from './sca/states.ts';
import { decisionRoutes, operationRoutes } from './transfers/operations.ts';

/** Every part of the service. A new area is added here, and what can be replaced of it in behaviour.ts. */
export const areas: readonly Area[] = [
  { name: 'customers', routes: customerRoutes, states: customerStates },
  { name: 'accounts', routes: accountRoutes, states: [] },
  { name: 'agents', routes: agentRoutes, states: agentStates },
  { name: 'transfers', routes: [...operationRoutes, ...decisionRoutes], states: [] },
  { name: 'quotes', routes: quoteRoutes, states: quoteStates },
  { name: 'sca', routes: scaLoginRoutes, states: scaStates },
  { name: 'credentials', routes: [...credentialRoutes, ...loginRoutes], states: [] },
  { name: 'sessions', routes: sessionRoutes, states: [] },
  { name: 'wallets', routes: walletRoutes, states: walletStates },
  { name: 'cards', routes: cardRoutes, states: [] },
  { name: 'stablecoins', routes: stablecoinRoutes, states: [] },
  { name: 'platform', routes: configRoutes, states: platformStates },
  { name: 'sandbox', routes: steeringRoutes, states: [] },
  { name: 'events', routes: [...testEventRoutes, ...deliveryRoutes], states: eventStates },
];
