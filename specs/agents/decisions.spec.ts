import {
  actionIn,
  eventually,
  expect,
  inTime,
  MOMENT_SECONDS,
  movesClock,
  succeeded,
  test,
  verifies,
  type Agent,
  type Answer,
  type Check,
  type Given,
} from '../../suite/index.ts';
import type { CheckContext } from '../../suite/check.ts';
import { cameAtOnce } from '../../suite/eventually.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { NOT_FOR_AGENTS } from '../support/agents.ts';
import {
  ABOVE,
  afterDecision,
  afterLateDecision,
  amountOfItsOwn,
  BELOW,
  CALLERS,
  expectCallers,
  hasBegun,
  idOf,
  needApprove,
  needReject,
  objectsIn,
  pending,
  readAction,
  readUntil,
  shapeOfAction,
  sightingOf,
  THRESHOLD,
  type Action,
  type Sighting,
} from '../support/actions.ts';
import { elapsed, expectSameTime, instantOf, type Instant } from '../support/instants.ts';

const WITH_THRESHOLD = { approvalThreshold: THRESHOLD };

/** What the platform may decide on an action that waits. */
interface Decision {
  readonly name: 'approval' | 'rejection';
  readonly past: 'approved' | 'rejected';
  readonly status: 'APPROVED' | 'REJECTED';
  /** What a read may show by then: "Approved but execution failed" is FAILED. */
  readonly shown: readonly string[];
  readonly rules: { readonly decides: string; readonly needsPlatform: string };
  /** Rules of the shape of an action that waits for it, and has got it. */
  readonly shape: readonly string[];
  /** An operation that the interface does not show may not be there. */
  readonly needThere: (agent: Agent, decision: Answer) => void;
  readonly send: (agent: Agent, actionId: string, told?: Parameters<Agent['approve']>[1]) => Promise<Answer>;
  /** As preparation. */
  readonly decide: (agent: Agent, actionId: string) => Promise<Sighting>;
  readonly questions: { readonly answer: string; readonly twice: string };
}

const APPROVAL: Decision = {
  name: 'approval',
  past: 'approved',
  status: 'APPROVED',
  shown: ['APPROVED', 'FAILED'],
  rules: { decides: 'ACTION-APPROVE-APPROVES', needsPlatform: 'ACTION-APPROVE-NEEDS-PLATFORM' },
  shape: shapeOfAction('waits'),
  needThere: () => undefined,
  send: (agent, actionId, told) => agent.approve(actionId, told),
  decide: needApprove,
  questions: { answer: 'approve-answer', twice: 'approve-twice' },
};

const REJECTION: Decision = {
  name: 'rejection',
  past: 'rejected',
  status: 'REJECTED',
  shown: ['REJECTED'],
  rules: { decides: 'ACTION-REJECT-REJECTS', needsPlatform: 'ACTION-REJECT-NEEDS-PLATFORM' },
  shape: shapeOfAction('waits', 'is rejected'),
  needThere: ({ need }, decision) => need(decision).available(),
  send: (agent, actionId, told) => agent.reject(actionId, told),
  decide: needReject,
  questions: { answer: 'reject-operation', twice: 'reject-twice' },
};

for (const decision of [APPROVAL, REJECTION]) {
  const { name, rules, send, decide } = decision;
  for (const [who, authorizationOf] of [
    ['the agent', (agent: Agent) => agent.authorization],
    ['another platform', (_: Agent, given: Given) => given.otherPlatform()],
  ] as const)
    test(
      `the ${name} is nothing that ${who} can do`,
      verifies(rules.needsPlatform),
      async ({ given, check, observe }) => {
        const agent = await given.agent(WITH_THRESHOLD);
        const authorization = await authorizationOf(agent, given);
        await decide(agent, (await pending(agent)).id);
        const { id } = await pending(agent);
        const label = `${who} tries the ${name} of an action`;
        const attempt = await send(agent, id, { authorization, label });
        if (name === 'approval' && who === 'the agent') observe('approve-by-agent', attempt);
        const refused = await check(rules.needsPlatform, () =>
          expect(attempt).toBeRefused(...NOT_FOR_AGENTS),
        );
        const seen = await readAction(agent, id);
        if (refused && seen)
          await check(rules.needsPlatform, () => expect(seen.action.status).toBe('PENDING_APPROVAL'));
      },
    );

  for (const seconds of [0, MOMENT_SECONDS]) {
    const named = verifies(
      'ACTION-CREATED-AT-STABLE',
      'ACTION-UPDATED-AT-FOLLOWS',
      'ACTION-UPDATED-AT-NOT-BEFORE-CREATED',
    );
    test(
      seconds === 0
        ? `the ${name} leaves createdAt, and updatedAt does not go back`
        : `after some time, the ${name} moves updatedAt and leaves createdAt`,
      seconds === 0 ? named : movesClock(named, seconds),
      async ({ given, check, observe, clock }) => {
        const agent = await given.agent(WITH_THRESHOLD);
        const { id, answer } = await pending(agent);
        if (seconds > 0) await clock.advance(seconds, agent.state.customerId);
        const after = await decideAndRead(agent, id, decide);
        const evidence = [answer, after.answer];
        const time = (action: Action, field: 'createdAt' | 'updatedAt'): Instant =>
          agent.need.that(instantOf(action[field]), `the action came without a ${field} that can be read`);
        const before = answer.body as Action;
        const [created, updated] = (['createdAt', 'updatedAt'] as const).map((field) =>
          elapsed(time(before, field), time(after.action, field)),
        );
        await check('ACTION-CREATED-AT-STABLE', () => expect(created).toBe(0), evidence);
        const least = seconds === 0 ? 0 : 1;
        await check(
          'ACTION-UPDATED-AT-FOLLOWS',
          () => expect(updated).toBeGreaterThanOrEqual(least),
          evidence,
        );
        for (const action of [before, after.action])
          await check(
            'ACTION-UPDATED-AT-NOT-BEFORE-CREATED',
            () =>
              expect(elapsed(time(action, 'createdAt'), time(action, 'updatedAt'))).toBeGreaterThanOrEqual(0),
            evidence,
          );
        if (name === 'rejection') {
          const isGiven = typeof after.action.rejectionReason === 'string';
          observe('rejection-reason-without-reason', isGiven ? 'yes' : 'no', after.answer);
        }
        observe('timestamp-form', String(before.createdAt).replace(/\d/g, '0'), answer);
      },
    );
  }
}

test(
  'after some time, an approval whose execution fails moves updatedAt',
  movesClock(verifies('ACTION-UPDATED-AT-FOLLOWS'), MOMENT_SECONDS),
  async ({ given, need, check, clock }) => {
    const agent = await given.agentThatCannotExecute({ approvalThreshold: 1 });
    const label = 'a transfer-out that cannot be executed';
    const answer = await agent.transferOut({ amount: agent.state.amount }, label);
    need(answer).available();
    const before = answer.body as Action;
    need.that(before.status === 'PENDING_APPROVAL', 'the transfer-out does not wait for approval');
    await clock.advance(MOMENT_SECONDS, agent.state.customerId);
    const id = idOf(agent, answer);
    // A service may see beforehand that the execution must fail, and refuse the approval.
    need(await agent.approve(id)).available();
    const seen = await readUntil(agent, id, ({ action }) => action.status === 'FAILED');
    const failed = need.offered(seen, 'this target offers no read of an action');
    need.that(failed.action.status === 'FAILED', 'the action is not seen to fail');
    const updated = (action: Action): Instant =>
      need.that(instantOf(action.updatedAt), 'the action came without an updatedAt that can be read');
    const moved = elapsed(updated(before), updated(failed.action));
    const follows = () => expect(moved).toBeGreaterThanOrEqual(1);
    await check('ACTION-UPDATED-AT-FOLLOWS', follows, [answer, failed.answer]);
  },
);

/** How an action leaves PENDING_APPROVAL, or never is in it, and what it may be from then on. */
interface Decided {
  readonly says: string;
  readonly statuses: readonly string[];
  readonly idOfOne: (agent: Agent) => Promise<string>;
}

const RAN_AT_ONCE: Decided = {
  says: 'that ran at once',
  statuses: ['APPROVED', 'FAILED'],
  idOfOne: async (agent) => {
    const answer = await agent.needTransfer({ amount: BELOW }, 'a transfer-out that runs at once');
    agent.need.that(answer.body?.status === 'APPROVED', 'the transfer-out did not run at once');
    return idOf(agent, answer);
  },
};
const APPROVED = decided(APPROVAL);
const REJECTED = decided(REJECTION);

function decided({ past, shown: statuses, decide }: Decision): Decided {
  const idOfOne = async (agent: Agent) => {
    const { id } = await pending(agent);
    await decide(agent, id);
    return id;
  };
  return { says: `that the platform ${past}`, statuses, idOfOne };
}

/** Where one read shows a decision, want of time is not why another does not. */
function unlessShown(
  statuses: readonly string[],
  elsewhere: Sighting | undefined,
  answer: Answer,
): CheckContext {
  const isShown = elsewhere !== undefined && statuses.includes(String(elsewhere.action.status));
  return isShown ? { evidence: [elsewhere.answer, answer] } : inTime(answer);
}

for (const { says, statuses, idOfOne } of [APPROVED, REJECTED, RAN_AT_ONCE])
  test(
    `the list shows an action ${says} as ${statuses[0]}, and whose it is`,
    verifies('ACTION-READ-STATUS', ...CALLERS.map(([rule]) => rule)),
    async ({ given, need, check }) => {
      const agent = await given.agent(WITH_THRESHOLD);
      const id = await idOfOne(agent);
      const listed = await eventually(
        async () => {
          const list = await agent.call('listMyActions', "listing the agent's actions");
          list.tellFault();
          return sightingOf(list, id);
        },
        (seen) => seen?.action.status === undefined || statuses.includes(String(seen.action.status)),
        agent.patienceMs,
      );
      // The interface shows no list: one may leave actions out, or their status.
      const status = need.offered(listed?.action.status, 'no list of actions shows the status of this one');
      const other = statuses.includes(String(status)) ? undefined : await readAction(agent, id);
      await check(
        'ACTION-READ-STATUS',
        () => expect(status).toBeOneOf(statuses),
        unlessShown(statuses, other, listed!.answer),
      );
      await expectCallers(check, agent, listed!);
    },
  );

test(
  'the rejection of an action that ran at once comes too late',
  verifies('ACTION-REJECT-ONLY-PENDING'),
  async ({ given, need, check }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    // Shows that a rejection works here.
    await needReject(agent, (await pending(agent)).id);
    const id = await RAN_AT_ONCE.idOfOne(agent);
    // How soon reads follow is not stated, and what follows is read at once.
    await readUntil(agent, id, ({ action }) => RAN_AT_ONCE.statuses.includes(String(action.status)));
    const decision = await agent.reject(id, 'the rejection of an action that ran at once');
    const { seen } = await afterLateDecision(agent, decision, id);
    need.offered(seen.length > 0, 'this target offers no read of an action');
    for (const { action, answer } of seen)
      await check('ACTION-REJECT-ONLY-PENDING', () => expect(action.status).not.toBe('REJECTED'), [
        decision,
        answer,
      ]);
  },
);

/** An action that waits, and how it is known in a list whatever its id. */
interface Waiting {
  readonly agent: Agent;
  readonly submitted: Sighting;
  readonly isIt: (action: Action) => boolean;
}

const TRANSFER_OUT = 'transfer-out';
/** The operations of the other kinds are not shown, nor which of them wait: they serve where the target is seen to take them. */
const KINDS: readonly (readonly [what: string, submit: (given: Given) => Promise<Waiting>])[] = [
  [
    TRANSFER_OUT,
    async (given) => {
      const agent = await given.agent(WITH_THRESHOLD);
      const { answer, amount } = await pending(agent, amountOfItsOwn(ABOVE));
      return { agent, submitted: { action: answer.body as Action, answer }, isIt: isOf(amount) };
    },
  ],
  [
    'transfer-in',
    async (given) => {
      const agent = await given.agent(WITH_THRESHOLD);
      const amount = amountOfItsOwn(ABOVE);
      const answer = await agent.transferIn({ amount }, 'a transfer-in that waits for approval');
      return { agent, submitted: needWait(agent, answer), isIt: isOf(amount) };
    },
  ],
  [
    'execution of a quote',
    async (given) => {
      const agent = await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' });
      const quote = await agent.needQuote();
      const answer = await agent.executeQuote(quote.id);
      const isIt = (action: Action & { readonly quote?: { readonly id?: unknown } }) =>
        sameId(action.quote?.id, quote.id);
      return { agent, submitted: needWait(agent, answer), isIt };
    },
  ],
];

for (const [what, submit] of KINDS)
  test(
    `the list of approvals shows a waiting ${what} as it was submitted`,
    verifies('ACTION-DETAILS-STABLE', 'ACTION-CREATED-AT-STABLE', 'ACTION-READ-STATUS'),
    async ({ given, need, check }) => {
      const { agent, submitted } = await submit(given);
      const listed = async () =>
        sightingOf(
          await agent.platform.call('listApprovals', { label: 'listing what waits for approval' }),
          submitted.action.id,
        );
      // The interface shows no such list, which may leave out what an action says.
      const shown = await eventually(listed, (seen) => seen !== undefined, agent.patienceMs);
      const { action, answer } = need.offered(shown, 'no list of approvals shows the action');
      if (action.status !== undefined)
        await check('ACTION-READ-STATUS', () => expect(action.status).toBe('PENDING_APPROVAL'), [answer]);
      const evidence = [submitted.answer, answer];
      await check(
        'ACTION-DETAILS-STABLE',
        () => expectSameSubmission({ action, answer }, submitted),
        evidence,
      );
      const times = [submitted.action.createdAt, action.createdAt] as const;
      await expectSameTime(check, 'ACTION-CREATED-AT-STABLE', times, evidence);
    },
  );

for (const [what, submit] of KINDS)
  for (const { name, status, shown, rules, shape, needThere, send, questions } of [APPROVAL, REJECTION]) {
    const isApproval = name === 'approval';
    const onlyPending = isApproval ? 'ACTION-REJECT-ONLY-PENDING' : 'ACTION-APPROVE-ONLY-PENDING';
    test(
      `the ${name} of a waiting ${what} moves it to ${status} for good`,
      verifies(
        rules.decides,
        'ACTION-READ-STATUS',
        'ACTION-ID-STABLE',
        'ACTION-CREATED-AT-STABLE',
        onlyPending,
        isApproval ? 'ACTION-APPROVE-BEGINS-EXECUTION' : 'ACTION-REJECT-REASON',
        'ACTION-DETAILS-STABLE',
        ...(what === TRANSFER_OUT ? shape : []),
      ),
      async ({ given, need, check, observe }) => {
        const { agent, submitted, isIt } = await submit(given);
        const id = String(submitted.action.id);
        const before = await readAction(agent, id);
        if (before)
          await check('ACTION-READ-STATUS', () => expect(before.action.status).toBe('PENDING_APPROVAL'));
        const keepsId = async (when: string, isOld: (action: Action) => boolean = () => false) => {
          const listed = (list: Answer) =>
            (objectsIn(list) as readonly Action[]).find((one) => one.id && isIt(one));
          const list = await eventually(
            () => agent.call('listMyActions', `listing the actions ${when}`),
            (seen) => !isOld(listed(seen) ?? {}),
            agent.patienceMs,
          );
          // A page need not hold it.
          const shows = listed(list) ? list : await agent.readAction(id, `reading the action ${when}`);
          if (listed(shows))
            await check('ACTION-ID-STABLE', () => expect(folded(listed(shows)?.id)).toBe(folded(id)), [
              shows,
            ]);
          return sightingOf(list, id);
        };
        // One with text for the recipient: what waits with it is begun like any other.
        const more = { remittanceInformation: 'Invoice 7' };
        const next = what === TRANSFER_OUT ? await pending(agent, amountOfItsOwn(ABOVE), more) : undefined;
        await keepsId(`before the ${name}`);
        const reason = 'The other side is not known to us.';
        const decision = await send(agent, id, isApproval ? {} : { body: { reason } });
        observe(questions.answer, decision);
        if (what === TRANSFER_OUT) needThere(agent, decision);
        else need(decision).available();

        const isTaken = succeeded(decision);
        const listed = await keepsId(
          `after the ${name}`,
          (action) => isTaken && action.status === 'PENDING_APPROVAL',
        );
        const seen = need.offered(
          await afterDecision(agent, decision, id, status),
          `neither the answer to the ${name} nor a read shows the action`,
        );
        // The body of an approval is not shown. One that is refused for its body can be told in the profile.
        const unread = decision.status === 400 ? (['bodies.approveAgentAction'] as const) : [];
        const decided = () => expect(seen.action.status).toBeOneOf(shown);
        // A transfer-out that is approved at once shows that this is no matter of time.
        const isElsewhere = what !== TRANSFER_OUT || !isApproval;
        const isNever =
          isElsewhere && !shown.includes(String(seen.action.status)) && (await approvesAtOnce(given));
        const assumes = [...(isNever ? [] : (['effectSeconds'] as const)), ...unread];
        const evidence = [decision, seen.answer];
        if (!(await check(rules.decides, decided, { evidence, assumes }))) return;
        const created = [submitted.action.createdAt, seen.action.createdAt] as const;
        await expectSameTime(check, 'ACTION-CREATED-AT-STABLE', created, { evidence });
        const keepsDetails = (sight: Sighting) =>
          check('ACTION-DETAILS-STABLE', () => expectSameSubmission(sight, submitted), [
            submitted.answer,
            sight.answer,
          ]);
        await keepsDetails(seen);
        // What a list leaves out is its own matter.
        if (listed) {
          await keepsDetails(listed);
          const times = [submitted.action.createdAt, listed.action.createdAt] as const;
          await expectSameTime(check, 'ACTION-CREATED-AT-STABLE', times, [submitted.answer, listed.answer]);
        }
        const carries = isApproval ? hasBegun : tellsWhy;
        const whole = await seenWith(carries, agent, id, seen);
        if (isApproval) {
          const begins = () => expect(whole.action.transaction ?? null).not.toBeNull();
          // The text names no time for it.
          await check('ACTION-APPROVE-BEGINS-EXECUTION', begins, inTime(whole.answer));
          const transaction = sightingOf(decision, id)?.action.transaction;
          observe('transaction-in-approval-answer', transaction ? 'yes' : 'no', decision);
        } else {
          const { rejectionReason } = whole.action;
          await check(
            'ACTION-REJECT-REASON',
            () => {
              expect(whole.action.rejectionReason).toEqual(expect.any(String));
              expect(whole.action.rejectionReason).not.toBe('');
            },
            inTime(decision, whole.answer),
          );
          observe('rejection-reason-text', rejectionReason === reason ? 'yes' : 'no', whole.answer);
        }
        // What is decided stays so, also when the decision comes twice.
        observe(questions.twice, await send(agent, id, `the ${name} of the action again`));
        const read = need.offered(
          await readUntil(
            agent,
            id,
            (sight) => shown.includes(String(sight.action.status)) && (!carries(whole) || carries(sight)),
          ),
          'this target offers no read of an action',
        );
        const isRead = await check(
          'ACTION-READ-STATUS',
          () => expect(read.action.status).toBeOneOf(shown),
          unlessShown(shown, listed, read.answer),
        );
        if (isRead && carries(whole))
          await check(
            isApproval ? 'ACTION-APPROVE-BEGINS-EXECUTION' : 'ACTION-REJECT-REASON',
            () => expect(carries(read), 'a later read still shows it').toBe(true),
            inTime(read.answer),
          );
        await keepsDetails(read);
        const sights = [whole, listed, read].filter((sight) => sight?.action.transaction?.id !== undefined);
        const [one, ...others] = sights.map((sight) => folded(sight?.action.transaction?.id));
        for (const [at, other] of others.entries())
          await check('ACTION-DETAILS-STABLE', () => expect(other, 'its transaction').toBe(one), [
            sights[0]!.answer,
            sights[at + 1]!.answer,
          ]);

        if (next) await decideTheNext(isApproval ? APPROVAL : REJECTION, agent, next.id, check);
        if (isApproval) {
          // Shows that a rejection works here.
          const control = await submit(given);
          await needReject(control.agent, String(control.submitted.action.id));
        }
        // A read that has not followed the first decision shows nothing of a second one.
        if (!isRead) return;
        const other = isApproval ? REJECTION : APPROVAL;
        const late = await other.send(agent, id, 'the other decision, too late');
        await other.send(agent, id, 'the other decision, too late once more');
        observe('approve-after-reject', late);
        const { read: last, seen: after } = await afterLateDecision(agent, late, id);
        need.offered(last, 'this target offers no read of an action');
        for (const { action, answer } of after)
          await check(onlyPending, () => expect(action.status).toBeOneOf(shown), [late, answer]);
      },
    );
  }

/** The second decision on actions of one agent: until then it waits, and then does what the first did. */
async function decideTheNext(
  { name, status, shown, rules, send }: Decision,
  agent: Agent,
  id: string,
  check: Check,
): Promise<void> {
  const waiting = await readAction(agent, id);
  const waits = () => expect(waiting?.action.status, 'of an undecided action').toBe('PENDING_APPROVAL');
  if (waiting) await check(rules.decides, waits, [waiting.answer]);
  const decision = await send(
    agent,
    id,
    name === 'approval' ? {} : { body: { reason: 'Not this one either.' } },
  );
  const seen = await afterDecision(agent, decision, id, status);
  if (!seen) return;
  const isDecided = () => expect(seen.action.status, 'of the next action').toBeOneOf(shown);
  await check(rules.decides, isDecided, inTime(decision, seen.answer));
  if (name === 'approval') {
    const begun = await seenWith(hasBegun, agent, id, seen);
    const begins = () => expect(hasBegun(begun), 'the execution of the next action has begun').toBe(true);
    if (begun.action.status === 'APPROVED')
      await check('ACTION-APPROVE-BEGINS-EXECUTION', begins, inTime(begun.answer));
    return;
  }
  const { action, answer } = await seenWith(tellsWhy, agent, id, seen);
  const isText = () => expect(action.rejectionReason, 'of the next action').toEqual(expect.any(String));
  await check('ACTION-REJECT-REASON', isText, inTime(decision, answer));
}

/**
 * Whether a read shows at once that a transfer-out is approved: then another decision that does not show is not for want of
 * time. The answer to the approval would not do, as that to another decision may show nothing.
 */
async function approvesAtOnce(given: Given): Promise<boolean> {
  const agent = await given.agent(WITH_THRESHOLD);
  const { id } = await pending(agent);
  await agent.approve(id, 'the approval of a transfer-out, to see how soon it shows');
  const isShown = ({ action }: Sighting) => APPROVAL.shown.includes(String(action.status));
  const seen = await readUntil(agent, id, isShown);
  return seen !== undefined && isShown(seen) && cameAtOnce();
}

/** A sight of the action that carries something, or as it was seen. */
async function seenWith(
  carries: (sight: Sighting) => boolean,
  agent: Agent,
  id: string,
  seen: Sighting,
): Promise<Sighting> {
  return carries(seen) ? seen : ((await readUntil(agent, id, carries)) ?? seen);
}

function tellsWhy({ action }: Sighting): boolean {
  return typeof action.rejectionReason === 'string';
}

function needWait({ need }: Agent, answer: Answer): Sighting {
  need(answer).available();
  const action = need.offered(actionIn(answer), 'no action could be recognised in the answer') as Action;
  need.offered(action.status === 'PENDING_APPROVAL', 'it does not wait for approval');
  return { action, answer };
}

function isOf(amount: number) {
  return ({ id, transferDetails }: Action) => transferDetails?.['amount'] === amount && id !== undefined;
}

/** A later sight of an action may be a summary: what it leaves out has not changed. */
function expectSameSubmission({ action }: Sighting, { action: first }: Sighting): void {
  for (const field of ['agentId', 'customerId', 'platformCustomerId', 'type'] as const)
    if (action[field] !== undefined) expect(folded(action[field])).toBe(folded(first[field]));
  for (const field of ['amount', 'currency', 'sourceAccountId', 'destinationAccountId'])
    if (action.transferDetails?.[field] !== undefined)
      expect(folded(action.transferDetails[field])).toBe(folded(first.transferDetails?.[field]));
}

async function decideAndRead(agent: Agent, id: string, decide: typeof needApprove): Promise<Sighting> {
  const decided = await decide(agent, id);
  // How soon reads follow is not stated: one that still shows the action as it was tells nothing of the decision.
  const isDecided = ({ action }: Sighting) => action.status === decided.action.status;
  const read = await readUntil(agent, id, isDecided);
  return read && isDecided(read) ? read : decided;
}
