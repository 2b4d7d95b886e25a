import type { Area } from '../core/area.ts';
import { testEventRoutes } from '../routes/events/test-event.ts';
import { cardState, cardTransactionState } from '../states/cards.ts';
import { livenessState } from '../states/liveness.ts';
import { refundStates } from '../states/refunds.ts';
import { webhookState } from '../states/webhook.ts';

export const eventsArea: Area = {
  name: 'events',
  routes: testEventRoutes,
  states: [webhookState, cardState, cardTransactionState, ...refundStates, livenessState],
};
