import { expect, succeeded, type Answer } from '../../../suite/index.ts';
import { readUntil, sightingOf, type Sighting } from '../../support/actions.ts';
import type { ActionModel, KnownAction } from './action-model.ts';
import { money, pay } from './action-money.ts';
import { expectState } from './action-sight.ts';

/** States of an action that the model tells apart; FAILED is what may become of APPROVED at any time. */
export type ActionState = 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED';
type ActionTrigger = 'approve' | 'reject' | 'agentApproves' | 'agentRejects';

/** What a trigger makes of an action, and the rule that says so. */
interface Transition {
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

/** Asks for a decision, and holds what becomes of the action, and of the money. */
export async function decide(model: ActionModel, one: KnownAction, trigger: ActionTrigger): Promise<void> {
  const answer = model.on.told(await asked(model, one, trigger));
  const { to, rule, legal } = ACTION_TRANSITIONS[one.state][trigger];
  model.on.must(answer.exchange.response, 'the decision got no answer');
  const before = one.state;
  // Refusing a legal decision is another matter than taking it and doing something else.
  if (legal) model.on.must(succeeded(answer), 'the decision was refused');
  one.state = to;
  if (before !== to) one.decided = true;
  one.asked = true;
  const shown = sightingOf(answer, one.id);
  const isShown = shown?.action.status !== undefined;
  if (isShown) await model.on.hold(rule, () => expectState(shown, to));
  // What the answer says is decided, and a read that says otherwise reads wrongly.
  const seen = await model.look(one, legal && isShown ? 'ACTION-READ-STATUS' : rule);
  if (trigger === 'reject' && legal) await reasonOf(model, shown, seen);
  if (before === 'PENDING_APPROVAL' && to === 'APPROVED') {
    if (seen && one.last.status !== 'FAILED') await begun(model, one, seen);
    await pay(model, one);
  } else await money(model, one);
}

function asked(model: ActionModel, one: KnownAction, trigger: ActionTrigger): Promise<Answer> {
  const { agent, platform } = model.world;
  const { agentId } = agent.state;
  const path = { agentId, actionId: one.id };
  const name = model.name(one);
  switch (trigger) {
    case 'approve':
      return platform.approve(agentId, one.id, { label: `approving ${name}` });
    case 'reject':
      return platform.reject(agentId, one.id, { body: { reason: 'not now' }, label: `rejecting ${name}` });
    case 'agentApproves':
      return agent.call('approveAgentAction', { path, label: `the agent approves ${name} itself` });
    case 'agentRejects':
      return agent.call('rejectAgentAction', { path, label: `the agent rejects ${name} itself` });
  }
}

/** The platform gave a reason, and the action says one. */
async function reasonOf(
  model: ActionModel,
  shown: Sighting | undefined,
  seen: Sighting | undefined,
): Promise<void> {
  const sights = [shown, seen].filter((sight) => sight !== undefined);
  model.on.must(sights.length > 0, 'nothing shows the rejected action');
  await model.on.hold(
    'ACTION-REJECT-REASON',
    () =>
      expect(
        sights
          .map(({ action }) => action.rejectionReason)
          .find((reason) => typeof reason === 'string' && reason !== ''),
        'rejectionReason',
      ).toBeDefined(),
    sights.map(({ answer }) => answer),
  );
}

/** After its approval the execution of an action begins by itself; the text names no time for it. */
async function begun(model: ActionModel, one: KnownAction, seen: Sighting): Promise<void> {
  const { agent } = model.world;
  const last = seen.action.transaction
    ? seen
    : await readUntil(agent, one.id, ({ action }) => Boolean(action.transaction));
  if (last)
    await model.on.hold(
      'ACTION-APPROVE-BEGINS-EXECUTION',
      () => expect(last.action.transaction ?? null, 'the transaction of the approved action').not.toBeNull(),
      { evidence: [last.answer], assumes: ['effectSeconds'] },
    );
}
