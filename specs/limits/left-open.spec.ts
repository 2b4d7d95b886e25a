import { test } from '../../suite/index.ts';
import { agentName } from '../../target/providers/public-calls/agents.ts';

/** Requests without a pause, to see whether a limit on them shows itself. */
const BURST = 10;

test('which spending limits a policy has', async ({ given, need, platform, observe }) => {
  const agent = await given.agent();
  const { customerId, currency } = agent.state;
  for (const limit of ['perTransactionLimit', 'dailyLimit', 'dailyTransactionLimit', 'monthlyLimit']) {
    const answer = await platform.call('createAgent', {
      label: `an agent whose policy limits ${limit}`,
      body: platform.filled('createAgent', {
        name: agentName(),
        customerId,
        policy: {
          permissions: ['CREATE_TRANSFERS'],
          defaultExecutionMode: 'AUTO',
          spendingLimits: { currency, perTransactionLimit: 1_000_000, [limit]: 1_000 },
        },
      }),
    });
    const shown = (answer.body as { agent?: { policy?: { spendingLimits?: object } } } | undefined)?.agent
      ?.policy?.spendingLimits;
    observe(
      'agent-limit-values',
      { [limit]: answer.outcome, shown: shown === undefined ? 'no limits shown' : Object.keys(shown) },
      answer,
    );
  }
  need(await agent.transferOut()).available();
});

test('which limits on requests show themselves', async ({ platform, observe }) => {
  const answers = await Promise.all(
    Array.from({ length: BURST }, () =>
      platform.call('getEndUserTerms', { label: 'one of many requests without a pause', impatient: true }),
    ),
  );
  const limited = answers.filter((answer) => answer.exchange.response?.status === 429);
  const headers = Object.keys(answers[0]?.exchange.response?.headers ?? {}).filter((name) =>
    /rate-?limit|retry-after/i.test(name),
  );
  observe(
    'request-rate-limits',
    { requests: BURST, answered429: limited.length, headers },
    ...answers.slice(0, 1),
  );
});
