import type { AgentParams } from '../../states/agent-state.ts';
import { CannotPrepare } from '../state-provider.ts';
import type { Json } from './steps.ts';

const ALL_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];
/** More than any check sends, in the smallest unit: services are known that want limits in every policy. */
const GENEROUS = 100_000_000;

/** The policy to ask for. Its form is not shown in the interface. */
export function policyFor(wanted: AgentParams, currency: string): Json {
  const { permissions, execution, approvalThreshold, perTransactionLimit, dailyLimit } = wanted;
  return {
    permissions: permissions ?? ALL_PERMISSIONS,
    defaultExecutionMode: execution ?? 'AUTO',
    spendingLimits: {
      currency,
      perTransactionLimit: perTransactionLimit ?? dailyLimit ?? GENEROUS,
      dailyLimit: dailyLimit ?? GENEROUS,
    },
    ...(approvalThreshold === undefined
      ? {}
      : { approvalThresholds: { currency, amount: approvalThreshold } }),
  };
}

/**
 * Makes sure that the created policy carries what was asked for: nobody is judged by a limit that it was never told in its
 * own words.
 *
 * @param shown the policy as the target shows it, or undefined where it shows none
 * @throws CannotPrepare where it carries something else, or where something was asked for and none is shown
 */
export function mustCarry(shown: Json, wanted: AgentParams, currency: string): void {
  const asked = askedFor(wanted, currency);
  if (typeof shown !== 'object' || shown === null) {
    if (Object.keys(asked).length === 0) return;
    throw new CannotPrepare(
      `the target shows no policy of the created agent, so it may know nothing of ${Object.keys(asked).join(', ')}: serve the state "agent" at PROVIDER_STATES_URL`,
    );
  }
  // Where nothing special was asked for, what the target shows has to be ordinary all the same.
  const ordinary = shown.defaultExecutionMode === undefined ? {} : { defaultExecutionMode: 'AUTO' };
  const missing = Object.entries({ ...ordinary, ...asked }).find(
    ([name, value]) => !carries(shown[name], value),
  );
  const unasked =
    asked['approvalThresholds'] === undefined && Number(shown.approvalThresholds?.amount) < GENEROUS;
  if (missing || unasked)
    throw new CannotPrepare(
      `the created agent's policy does not carry the ${missing?.[0] ?? 'approvalThresholds'} that was asked for: say in the profile how your service takes it (dialect.bodies.createAgent), or serve the state "agent" at PROVIDER_STATES_URL`,
    );
}

/** What a test has asked for, in the form of the policy. */
function askedFor(wanted: AgentParams, currency: string): Readonly<Record<string, unknown>> {
  const { permissions, execution, approvalThreshold, perTransactionLimit, dailyLimit } = wanted;
  const limits = {
    ...(perTransactionLimit === undefined ? {} : { perTransactionLimit }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
  };
  return {
    ...(permissions ? { permissions } : {}),
    ...(execution ? { defaultExecutionMode: execution } : {}),
    ...(approvalThreshold === undefined
      ? {}
      : { approvalThresholds: { currency, amount: approvalThreshold } }),
    ...(Object.keys(limits).length > 0 ? { spendingLimits: { currency, ...limits } } : {}),
  };
}

/** Whether a value is the wanted one, or an object that holds at least its members; a list holds the same in any order. */
function carries(shown: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(shown) && shown.length === wanted.length && wanted.every((one) => shown.includes(one))
    );
  if (!isObject(wanted)) return typeof wanted === 'number' ? Number(shown) === wanted : shown === wanted;
  return isObject(shown) && Object.entries(wanted).every(([name, value]) => carries(shown[name], value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
