import type { Area } from '../core/area.ts';
import { accountsArea } from './accounts.ts';
import { agentsArea } from './agents.ts';
import { credentialsArea } from './credentials.ts';
import { eventsArea } from './events.ts';
import { platformArea } from './platform.ts';
import { quotesArea } from './quotes.ts';

/** Every part of the service. A new area is added here, its rules in rules/index.ts, its faults in faults/index.ts. */
export const areas: readonly Area[] = [
  accountsArea,
  agentsArea,
  credentialsArea,
  quotesArea,
  platformArea,
  eventsArea,
];
