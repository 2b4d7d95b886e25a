import type { Route } from '../../core/route.ts';

/** The end-user terms in force. */
export const termsRoute: Route = {
  method: 'GET',
  path: '/customers/end-user-terms',
  auth: 'platform',
  handle: ({ world }) => world.rules.presentTerms(world),
};
