/** Parts of states (target/states/parts.ts) that the recipes beside this file prepare where a service takes their calls. */
const SERVED: readonly RegExp[] = [
  /^(agent|execution-failure)(\.(permissions|execution|approvalThreshold|perTransactionLimit|dailyLimit|currency|rails)(=.*)?)?$/,
  /^agent\.balance$/,
  /^agent-quote(\..*)?$/,
  /^foreign-accounts(\.currency(=.*)?)?$/,
  /^(customer|quote-source)(\.(balance|currency|destinationCurrency|termsAccepted)(=.*)?)?$/,
  /^customer\.(ready=true|executionFails=false|ownPlatform=false|destinationKind=ACCOUNT)$/,
  /^quote-source\.kind=(ACCOUNT|REALTIME_FUNDING)$/,
  // Such accounts are born with it.
  /^wallet-account(\.credentials=EMAIL_OTP)?$/,
  /^new-wallet$/,
];

/** Whether public calls can prepare a part of a state. */
export function servesByPublicCalls(part: string): boolean {
  return SERVED.some((pattern) => pattern.test(part));
}
