import type { Area } from '../core/area.ts';
import { decisionRoutes } from '../routes/agents/decisions.ts';
import { managingRoutes } from '../routes/agents/managing.ts';
import { operationRoutes } from '../routes/agents/operations.ts';
import { agentState } from '../states/agent.ts';
import { executionFailureState } from '../states/execution-failure.ts';
import { foreignAccountsState } from '../states/foreign-accounts.ts';
import { purposeRequiredState } from '../states/purpose-required.ts';

export const agentsArea: Area = {
  name: 'agents',
  routes: [...managingRoutes, ...decisionRoutes, ...operationRoutes],
  states: [agentState, foreignAccountsState, executionFailureState, purposeRequiredState],
};
