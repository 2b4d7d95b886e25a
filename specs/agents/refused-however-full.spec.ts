import { randomUUID } from 'node:crypto';
import { boundOf, enumOf } from '../../schemas/openapi.ts';
import {
  expect,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Need,
} from '../../suite/index.ts';
import { notAccepted } from '../support/refusals.ts';

/** Characters. */
const LONGEST_REMITTANCE = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
const [PURPOSE] = enumOf('PurposeOfPayment');

/** What is wrong in a request that says everything that one can say. */
interface Breach {
  readonly rule: string;
  readonly says: string;
  /** The agent that sends it, where not every agent is refused. */
  readonly by?: (given: Given) => Promise<Agent>;
  readonly changes?: (given: Given, agent: Agent) => Promise<Fields> | Fields;
  readonly refused?: readonly number[];
}

type Fields = Readonly<Record<string, unknown>>;

const BREACHES: readonly Breach[] = [
  {
    rule: 'TRANSFER-SOURCE-FOREIGN',
    says: "from another customer's account",
    changes: async (given) => ({ source: { accountId: (await given.foreignAccounts()).internalAccountId } }),
    refused: [400, 403, 404],
  },
  {
    rule: 'TRANSFER-DESTINATION-FOREIGN',
    says: "to another customer's account",
    changes: async (given) => to((await given.foreignAccounts()).externalAccountId),
    refused: [400, 403, 404],
  },
  {
    rule: 'TRANSFER-SOURCE-UNKNOWN',
    says: 'from an account that nobody has',
    changes: () => ({ source: { accountId: `InternalAccount:${randomUUID()}` } }),
    refused: [404],
  },
  {
    rule: 'TRANSFER-DESTINATION-UNKNOWN',
    says: 'to an account that nobody has',
    changes: () => to(`ExternalAccount:${randomUUID()}`),
    refused: [404],
  },
  {
    rule: 'TRANSFER-REMITTANCE-MAX',
    says: 'with a remittanceInformation one character too long',
    changes: () => ({ remittanceInformation: 'x'.repeat(LONGEST_REMITTANCE + 1) }),
  },
  {
    rule: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'by an agent without CREATE_TRANSFERS',
    by: (given) => given.agent({ permissions: [] }),
    refused: [403],
  },
  {
    rule: 'TRANSFER-SPENDING-LIMIT',
    says: 'over the spending limit of the policy',
    by: (given) => given.agent({ perTransactionLimit: ORDINARY_AMOUNT - 1 }),
    refused: [403],
  },
];

for (const { rule, says, by, changes, refused } of BREACHES)
  test(
    `a transfer-out that names rail, purpose, text and key is refused ${says}`,
    verifies(rule),
    async ({ given, need, check }) => {
      const agent = await given.agent();
      const right = await full(agent, need, {}, 'a transfer-out that says everything that one can say');
      need(right).accepted();
      const wrong = await full(
        by ? await by(given) : agent,
        need,
        (await changes?.(given, agent)) ?? {},
        `the same ${says}`,
      );
      await check(rule, () => (refused ? expect(wrong).toBeRefused(...refused) : notAccepted(wrong)));
    },
  );

test(
  'a remittanceInformation of the greatest length is taken beside rail, purpose and key',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await full(agent, need, {}, 'the same with a short text')).accepted();
    const remittanceInformation = 'x'.repeat(LONGEST_REMITTANCE);
    const longest = await full(
      agent,
      need,
      { remittanceInformation },
      'a transfer-out with the longest text',
    );
    await check('TRANSFER-REMITTANCE-ACCEPTED', () => expect(longest).toBeAccepted());
  },
);

/** Every field of a TransferOutRequest, and a key. A destination takes the rail of the agent's own. */
function full(agent: Agent, need: Need, changes: Fields, label: string): Promise<Answer> {
  const [paymentRail] = agent.state.supportedRails ?? [];
  need.offered(paymentRail, 'which rails the destination supports is not known');
  const { destination, ...others } = changes as { destination?: Fields };
  return agent.transferOut(
    {
      destination: { accountId: agent.state.destinationAccountId, paymentRail, ...destination },
      purposeOfPayment: PURPOSE,
      remittanceInformation: 'Invoice 7',
      ...others,
    },
    { label, idempotencyKey: randomUUID() },
  );
}

function to(accountId: string): Fields {
  return { destination: { accountId } };
}
