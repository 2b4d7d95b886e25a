import { eventually, expect, test, verifies, type Answer } from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';
import { issue, issuer, register, stablecoinIn } from '../support/platform.ts';

/** The text says "through settlement", and names no status for it. */
const SETTLED =
  /^(SETTLED|COMPLETED?|SUCCE(EDED|SS|SSFUL)|CONFIRMED|DONE|FINALI[SZ]ED|SETTLEMENT_COMPLETED)$/i;
const ON_ITS_WAY = /PENDING|PROCESSING|SUBMITTED|IN_PROGRESS|CREATED|INITIATED|QUEUED|SETTLING/i;
const MINTED = 500_000;

test('a stablecoin can be registered', verifies('STABLECOIN-REGISTER'), async ({ given, check, observe }) => {
  const { platform, values } = await issuer(given);
  const answer = await register(platform, values, 'registering a stablecoin');
  await check('STABLECOIN-REGISTER', () => expect(answer).toBeAccepted());
  observe('stablecoin-operations-shape', { register: answer.outcome, shown: fieldsOf(answer) }, answer);
});

for (const kind of ['mint', 'burn'] as const) {
  const rule = kind === 'mint' ? 'STABLECOIN-MINT' : 'STABLECOIN-BURN';
  test(
    `a registered stablecoin can take a ${kind}`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      const { platform, values } = await issuer(given, { registered: true, minted: MINTED });
      const stablecoinId = need.offered(values.stablecoinId, 'the state gives no registered stablecoin');
      const answer = await issue(platform, kind, stablecoinId, values[kind]);
      await check(rule, () => expect(answer).toBeAccepted());
      observe('stablecoin-operations-shape', { [kind]: answer.outcome, shown: fieldsOf(answer) }, answer);
    },
  );

  test(
    `a ${kind} can be followed until it is settled`,
    verifies('STABLECOIN-OPERATIONS-TRACKED'),
    async ({ given, need, check, observe }) => {
      const { platform, values } = await issuer(given, { registered: true, minted: MINTED });
      const stablecoinId = need.offered(values.stablecoinId, 'the state gives no registered stablecoin');
      const list = () =>
        platform.call('listStablecoinOperations', {
          label: "the stablecoin's operations",
          path: { stablecoinId },
        });
      const before = await list();
      need(before).available();
      const known = new Set(operationsIn(before).map(({ id }) => id));
      const answer = await issue(platform, kind, stablecoinId, values[kind]);
      need(answer).accepted();
      const fresh = (seen: Answer) => operationsIn(seen).filter(({ id }) => !known.has(id));
      const listed = await eventually(list, (seen) => fresh(seen).length > 0, platform.patienceMs);
      need(listed).available();
      const tracked = await check(
        'STABLECOIN-OPERATIONS-TRACKED',
        () => expect(fresh(listed).length, `operations that are new after the ${kind}`).toBeGreaterThan(0),
        { evidence: [listed], assumes: ['effectSeconds'] },
      );
      if (!tracked) return;
      const statuses = new Set<unknown>();
      const last = await eventually(
        list,
        (seen) => {
          for (const { status } of fresh(seen)) statuses.add(status);
          return !fresh(seen).some(({ status }) => ON_ITS_WAY.test(String(status)));
        },
        platform.patienceMs,
      );
      observe('stablecoin-operations-shape', { [`statuses of a ${kind}`]: [...statuses] }, last);
      const now = fresh(last).map(({ status }) => status);
      const onItsWay = now.find((status) => ON_ITS_WAY.test(String(status)));
      // A failure, or a word of its own, is no settlement, and no breach either.
      need.offered(
        onItsWay !== undefined || now.some((status) => SETTLED.test(String(status))),
        `no status of the ${kind} could be recognised as settled (${now.map(String).join(', ')})`,
      );
      await check(
        'STABLECOIN-OPERATIONS-TRACKED',
        () => expect(onItsWay, `the status of a ${kind} that does not settle`).toBeUndefined(),
        { evidence: [last], assumes: ['effectSeconds'] },
      );
    },
  );
}

test('several registered stablecoins keep their operations apart', async ({ given, need, observe }) => {
  const { platform, values } = await issuer(given);
  const registered = await register(platform, values, 'registering a stablecoin');
  need(registered).available();
  const stablecoinId = stablecoinIn(registered, need);
  const answer = await platform.call('listStablecoinOperations', {
    label: 'operations of a new stablecoin',
    path: { stablecoinId },
  });
  observe(
    'stablecoin-operations-shape',
    { 'operations of a new one': operationsIn(answer).length, shown: fieldsOf(answer) },
    answer,
  );
});

/** The records of the answer's list. */
function operationsIn(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return everyObjectIn(answer).filter((object) => typeof object['id'] === 'string');
}
