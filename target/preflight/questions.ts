import { randomUUID } from 'node:crypto';
import type { Question } from './probe.ts';

/** What the preflight asks. Nothing of it creates or changes anything in a service that keeps the interface. */
export interface Questions {
  /** Documented reads, and reads that deployments are known to have. One that succeeds is proof enough. */
  readonly reads: readonly Question[];
  /** Documented calls that a service must refuse, in the interface's own form. */
  readonly refused: readonly Question[];
  /** A route that no service has, in both methods: a server may have words of its own for each. */
  readonly undefinedRoutes: readonly [Question, Question];
}

/** New questions about records that nobody has. */
export function questions(): Questions {
  const id = randomUUID();
  return {
    reads: [
      { method: 'GET', path: `/auth/credentials?accountId=InternalAccount:${id}` },
      { method: 'GET', path: '/customers/end-user-terms' },
      { method: 'GET', path: `/customers/internal-accounts?customerId=Customer:${id}` },
      { method: 'GET', path: '/agents/approvals' },
      { method: 'GET', path: `/auth/sessions?accountId=InternalAccount:${id}` },
    ],
    refused: [
      { method: 'POST', path: '/quotes', body: '{}' },
      { method: 'POST', path: `/agents/Agent:${id}/actions/AgentAction:${id}/approve` },
      { method: 'POST', path: '/agents/me/transfer-out', body: '{}', ofAgents: true },
    ],
    undefinedRoutes: [
      { method: 'GET', path: `/assay-no-such-route-${id}` },
      { method: 'POST', path: `/assay-no-such-route-${id}`, body: '{}' },
    ],
  };
}
