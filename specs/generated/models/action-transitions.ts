/** States of an action that the model tells apart; FAILED is what may become of APPROVED at any time. */
export type ActionState = 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED';
export type ActionTrigger = 'approve' | 'reject' | 'agentApproves' | 'agentRejects';

/** What a trigger makes of an action, and the rule that says so. */
export interface Transition {
  readonly to: ActionState;
  readonly rule: string;
  /** Whether the text says that the trigger is taken; where it does not, it may be refused as well. */
  readonly legal: boolean;
}

const legal = (to: ActionState, rule: string): Transition => ({ to, rule, legal: true });
const stays = (to: ActionState, rule: string): Transition => ({ to, rule, legal: false });

/** AgentActionStatus (interface, States and transitions): what each trigger makes of an action in each state. */
export const ACTION_TRANSITIONS: Readonly<Record<ActionState, Readonly<Record<ActionTrigger, Transition>>>> =
  {
    PENDING_APPROVAL: {
      approve: legal('APPROVED', 'ACTION-APPROVE-APPROVES'),
      reject: legal('REJECTED', 'ACTION-REJECT-REJECTS'),
      agentApproves: stays('PENDING_APPROVAL', 'ACTION-APPROVE-NEEDS-PLATFORM'),
      agentRejects: stays('PENDING_APPROVAL', 'ACTION-REJECT-NEEDS-PLATFORM'),
    },
    APPROVED: {
      approve: stays('APPROVED', 'ACTION-READ-STATUS'),
      reject: stays('APPROVED', 'ACTION-REJECT-ONLY-PENDING'),
      agentApproves: stays('APPROVED', 'ACTION-APPROVE-NEEDS-PLATFORM'),
      agentRejects: stays('APPROVED', 'ACTION-REJECT-NEEDS-PLATFORM'),
    },
    REJECTED: {
      approve: stays('REJECTED', 'ACTION-APPROVE-ONLY-PENDING'),
      reject: stays('REJECTED', 'ACTION-READ-STATUS'),
      agentApproves: stays('REJECTED', 'ACTION-APPROVE-NEEDS-PLATFORM'),
      agentRejects: stays('REJECTED', 'ACTION-REJECT-NEEDS-PLATFORM'),
    },
  };

/** The rule that money left although the action with this amount was in this state, or had been paid already. */
export const MONEY_RULES: Readonly<Record<ActionState | 'keyed', string>> = {
  PENDING_APPROVAL: 'TRANSFER-PENDING-NOT-EXECUTED',
  REJECTED: 'ACTION-REJECT-NOT-EXECUTED',
  APPROVED: 'ACTION-APPROVE-MONEY-ONCE',
  keyed: 'TRANSFER-IDEMPOTENCY-MONEY-ONCE',
};
