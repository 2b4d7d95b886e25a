import { agentQuoteFaults } from './agents.ts';
import { quoteFlowFaults } from './flow.ts';
import { quotePartFaults } from './part-fields.ts';
import { quoteFieldFaults } from './quote-fields.ts';

export const quoteFaults = [...quoteFieldFaults, ...quotePartFaults, ...quoteFlowFaults, ...agentQuoteFaults];
