import type { Agent } from '../../areas/agents/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { asking } from '../../areas/replacements.ts';
import { refuse } from '../../server/refusal.ts';
import { type Fault, fault } from '../fault.ts';

/** Agents, by id, that a policy no longer counts for. */
type Marked = Set<string>;

/** What comes before, and marks an agent. */
const EARLIER: Readonly<Record<string, (marked: Marked) => Replacements>> = {
  'a-refused-transfer': (marked) => ({
    submitTransferOut: (original) => (world, agent, body) => {
      try {
        return original(world, agent, body);
      } catch (error) {
        marked.add(agent.id);
        throw error;
      }
    },
  }),
  'a-transfer-in': (marked) => ({
    readTransferIn: asking((agent, body) => (marked.add(agent.id), [agent, body])),
  }),
  'an-approval': (marked) => ({
    mayApprove: asking((action) => (marked.add(action.agentId), [action])),
  }),
  'a-rejection': (marked) => ({
    mayReject: asking((action) => (marked.add(action.agentId), [action])),
  }),
};

/** What is wrong with the policy of a marked agent, and the rule that names it. */
const WRONG: readonly (readonly [
  name: string,
  breaks: string,
  wrong: (isMeant: (agent: Agent) => boolean) => Replacements,
])[] = [
  [
    'every-transfer-waits',
    'TRANSFER-APPROVAL-AUTOMATIC',
    (isMeant) => ({
      needsApproval: (original) => (world, agent, transfer) =>
        isMeant(agent) || original(world, agent, transfer),
    }),
  ],
  [
    'no-transfer-waits',
    'TRANSFER-APPROVAL-PENDING',
    (isMeant) => ({
      needsApproval: (original) => (world, agent, transfer) =>
        !isMeant(agent) && original(world, agent, transfer),
    }),
  ],
  [
    'no-transfer-is-permitted',
    'TRANSFER-ACCEPTED',
    (isMeant) => ({
      permissionGranted: (original) => (world, agent, permission) =>
        isMeant(agent)
          ? refuse(world.behaviour.refuseForbidden('The policy permits no more.'))
          : original(world, agent, permission),
    }),
  ],
  [
    'no-limit-counts',
    'TRANSFER-SPENDING-LIMIT',
    (isMeant) => ({
      withinTransactionLimit: (original) => (world, agent, transfer) =>
        isMeant(agent) ? undefined : original(world, agent, transfer),
    }),
  ],
];

/** Rules that are broken with some of them, by name: refusals of another status, and what waits as well. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'after-a-refused-transfer-no-transfer-is-permitted': [
    'TRANSFER-SOURCE-UNKNOWN',
    'TRANSFER-DESTINATION-UNKNOWN',
    'AGENT-POLICY-CURRENT',
  ],
  'after-a-transfer-in-no-transfer-waits': ['AGENT-APPROVAL-EVERY-ACTION'],
};

/** A policy that something else has come before. What waits for the platform has no agent without a threshold before it. */
export const policyAfterwardsFaults: readonly Fault[] = Object.entries(EARLIER).flatMap(([what, marks]) =>
  WRONG.filter(([name]) => name !== 'no-limit-counts' || !/approval|rejection/.test(what)).map(
    ([name, breaks, wrong]) => {
      const marked: Marked = new Set();
      const full = `after-${what}-${name}`;
      return fault(full, [breaks, ...(ALSO[full] ?? [])], {
        ...marks(marked),
        ...wrong(({ id }) => marked.has(id)),
      });
    },
  ),
);
