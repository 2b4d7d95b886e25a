import { scaFieldFaults } from './fields.ts';
import { scaFlowFaults } from './flow.ts';

export const scaFaults = [...scaFieldFaults, ...scaFlowFaults];
