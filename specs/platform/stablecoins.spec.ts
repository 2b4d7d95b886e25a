import {
  eventually,
  expect,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type StateRequest,
} from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';

/** Values of the state `stablecoin`. */
interface Stablecoin {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly providerAccountIds: readonly string[];
  readonly unknownProviderAccountId?: string;
  readonly register: Readonly<Record<string, unknown>>;
  readonly mint: object;
  readonly burn: object;
  readonly stablecoinId?: string;
  readonly operations?: StateRequest;
}

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

test(
  'a stablecoin can be minted that never was',
  verifies('STABLECOIN-MINT'),
  async ({ given, need, check }) => {
    const { platform, values } = await issuer(given, { registered: true });
    const stablecoinId = need.offered(values.stablecoinId, 'the state gives no registered stablecoin');
    const answer = await issue(platform, 'mint', stablecoinId, values.mint);
    await check('STABLECOIN-MINT', () => expect(answer).toBeAccepted());
  },
);

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

test('which operations a new stablecoin has', async ({ given, need, observe }) => {
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

/** A provider account that is not taken, and a right one: each of a platform of its own. */
interface Refused {
  readonly rule: string;
  readonly says: string;
  /** What the provider accounts of the platform are, and of that of the control where it is another. */
  readonly params: object;
  readonly control?: object;
  /** The one that is named. */
  readonly named: (values: Stablecoin, need: Need) => string | undefined;
  readonly status: number;
  readonly code: string;
}

const second = ({ providerAccountIds }: Stablecoin, need: Need) =>
  need.that(providerAccountIds[1], 'the state gives one link only');

const REFUSED: readonly Refused[] = [
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-INVALID',
    says: 'a link that is not usable',
    params: { providerAccounts: ['ACTIVE', 'INVALID'] },
    named: second,
    status: 400,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  },
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-REVOKED',
    says: 'a link that is revoked',
    params: { providerAccounts: ['ACTIVE', 'REVOKED'] },
    named: second,
    status: 400,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  },
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-SELECTION',
    says: 'several links and none named',
    params: { providerAccounts: ['ACTIVE', 'ACTIVE'] },
    control: { providerAccounts: ['ACTIVE'] },
    named: () => undefined,
    status: 400,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
  },
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN',
    says: 'an unknown link',
    params: {},
    named: ({ unknownProviderAccountId }, need) =>
      need.offered(unknownProviderAccountId, 'the state gives no unknown provider account'),
    status: 404,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
  },
];

for (const { rule, says, params, control, named, status, code } of REFUSED)
  test(`a stablecoin is not registered with ${says}`, verifies(rule), async ({ given, need, check }) => {
    // A platform of its own for each: that the same coin can be registered twice is nowhere said.
    const right = await issuer(given, control ?? params);
    const only = control ? undefined : right.values.providerAccountIds[0];
    need(await register(right.platform, right.values, 'registering with an active link', only)).accepted();
    const { platform, values } = await issuer(given, params);
    const answer = await register(platform, values, `registering with ${says}`, named(values, need));
    await check(rule, () => {
      expect(answer).toBeRefused(status);
      expect(answer).toHaveCode(code);
    });
  });

test(
  'with several active links the named one is taken',
  verifies('STABLECOIN-PROVIDER-ACCOUNT-SELECTED'),
  async ({ given, need, check }) => {
    const single = await issuer(given, { providerAccounts: ['ACTIVE'] });
    need(
      await register(single.platform, single.values, 'registering with the only link, unnamed'),
    ).accepted();
    for (const which of [0, 1]) {
      const { platform, values } = await issuer(given, { providerAccounts: ['ACTIVE', 'ACTIVE'] });
      const id = need.that(values.providerAccountIds[which], 'the state gives one link only');
      const answer = await register(platform, values, 'registering with several links and one named', id);
      await check('STABLECOIN-PROVIDER-ACCOUNT-SELECTED', () => expect(answer).toBeAccepted());
    }
  },
);

/** The records of the answer's list. */
function operationsIn(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return everyObjectIn(answer).filter((object) => typeof object['id'] === 'string');
}

/** A platform of its own with stablecoin provider accounts. */
async function issuer(
  given: Given,
  params: object = {},
): Promise<{ platform: Platform; values: Stablecoin }> {
  const values = await given.state<Stablecoin>('stablecoin', params, ['register', 'providerAccountIds']);
  const { register, mint, burn } = values;
  const bodies = { register: bodyIn(register), mint: bodyIn(mint), burn: bodyIn(burn) };
  return { platform: given.ownPlatform(values), values: { ...values, ...bodies } };
}

/** The body alone, where a state gives a whole request. */
function bodyIn<T extends object>(given: T): T {
  const { method, path, body } = (given as Partial<StateRequest> | undefined) ?? {};
  return method !== undefined && path !== undefined ? ((body ?? {}) as T) : given;
}

/** POST /stablecoins */
function register(
  platform: Platform,
  values: Stablecoin,
  label: string,
  providerAccountId?: string,
): Promise<Answer> {
  const named = providerAccountId === undefined ? {} : { stablecoinProviderAccountId: providerAccountId };
  return platform.call('registerStablecoin', { label, body: { ...values.register, ...named } });
}

/** The id of a registered stablecoin; its answer is not shown. */
function stablecoinIn(answer: Answer, need: Need): string {
  const id: unknown = (answer.body as { id?: unknown } | undefined)?.id;
  return need.offered(
    typeof id === 'string' ? id : undefined,
    'the registration shows no id that could be recognised',
  );
}

/** POST /stablecoins/{stablecoinId}/mints or …/burns */
function issue(
  platform: Platform,
  kind: 'mint' | 'burn',
  stablecoinId: string,
  body: object,
): Promise<Answer> {
  return platform.call(kind === 'mint' ? 'mintStablecoin' : 'burnStablecoin', {
    label: `the platform asks for a ${kind}`,
    path: { stablecoinId },
    body,
  });
}
