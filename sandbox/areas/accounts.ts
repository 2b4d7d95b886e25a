import type { Area } from '../core/area.ts';
import { externalAccountRoutes } from '../routes/accounts/external-accounts.ts';
import { internalAccountRoutes } from '../routes/accounts/internal-accounts.ts';
import { customerRoutes } from '../routes/customers/customers.ts';
import { clockState } from '../states/clock.ts';
import { otherPlatformState } from '../states/other-platform.ts';

export const accountsArea: Area = {
  name: 'accounts',
  routes: [...customerRoutes, ...internalAccountRoutes, ...externalAccountRoutes],
  states: [otherPlatformState, clockState],
};
