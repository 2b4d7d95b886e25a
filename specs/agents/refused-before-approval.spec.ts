import { boundOf, enumOf } from '../../schemas/openapi.ts';
import { expect, test, verifies, type Agent, type Need } from '../../suite/index.ts';
import { ABOVE, THRESHOLD } from '../support/actions.ts';
import { refusedAsInvalid } from '../support/refusals.ts';

/** Characters. */
const LONGEST_REMITTANCE = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
/** What a policy may grant beside CREATE_TRANSFERS, as known deployments call it. */
const OTHERS = ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS'] as const;

/**
 * The control: what is right waits for the platform, so that what is wrong would wait too. Where it does not wait, that is
 * another rule's matter and leaves these not verified.
 */
async function mustWait(agent: Agent, need: Need): Promise<void> {
  const right = await agent.transferOut({ amount: ABOVE }, 'a transfer-out that needs approval');
  need.offered(!right.refused, `this target takes no transfer-out of ${ABOVE} from this agent`);
  need(right).accepted();
  need.offered(
    right.body?.status === 'PENDING_APPROVAL',
    'a transfer-out above the threshold did not wait, so there is nobody to ask',
  );
}

test(
  'a rail that the destination does not support is refused before anybody is asked to approve',
  verifies('TRANSFER-RAIL-UNSUPPORTED', 'TRANSFER-INVALID-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const supported = agent.state.supportedRails ?? [];
    const paymentRail = enumOf('PaymentRail').find((rail) => !supported.includes(rail));
    need.offered(
      supported.length > 0 && paymentRail,
      'which rails the destination does not support is not known',
    );
    await mustWait(agent, need);
    const destination = { accountId: agent.state.destinationAccountId, paymentRail };
    const wrong = await agent.transferOut(
      { amount: ABOVE, destination },
      'a transfer-out that needs approval, by a rail that is not supported',
    );
    await refusedAsInvalid(check, 'TRANSFER-RAIL-UNSUPPORTED', [wrong], []);
  },
);

test(
  'a remittanceInformation that is too long is refused before anybody is asked to approve',
  verifies('TRANSFER-REMITTANCE-MAX', 'TRANSFER-INVALID-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await mustWait(agent, need);
    const wrong = await agent.transferOut(
      { amount: ABOVE, remittanceInformation: 'x'.repeat(LONGEST_REMITTANCE + 1) },
      'a transfer-out that needs approval, with a remittanceInformation one character too long',
    );
    await refusedAsInvalid(check, 'TRANSFER-REMITTANCE-MAX', [wrong]);
  },
);

for (const [rule, end, wayOf] of [
  ['TRANSFER-SOURCE-FOREIGN', 'source', 'from'],
  ['TRANSFER-DESTINATION-FOREIGN', 'destination', 'to'],
] as const)
  test(
    `another customer's account as ${end} is refused before anybody is asked to approve`,
    verifies(rule),
    async ({ given, need, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const foreign = await given.foreignAccounts();
      await mustWait(agent, need);
      const accountId = end === 'source' ? foreign.internalAccountId : foreign.externalAccountId;
      const wrong = await agent.transferOut(
        { amount: ABOVE, [end]: { accountId } },
        { label: `a transfer-out that needs approval, ${wayOf} another customer's account` },
      );
      await check(rule, () => expect(wrong).toBeRefused(400, 403, 404));
    },
  );

test(
  'no other permission stands in for CREATE_TRANSFERS',
  verifies('TRANSFER-PERMISSION-REQUIRED'),
  async ({ given, check }) => {
    const permitted = await given.agent();
    const denied = await given.agent({ permissions: OTHERS });
    await permitted.mustTransfer({}, 'a transfer-out with the permission');
    const answer = await denied.transferOut(
      {},
      'a transfer-out with every other permission, and without this one',
    );
    await check('TRANSFER-PERMISSION-REQUIRED', () => expect(answer).toBeRefused(403));
  },
);
