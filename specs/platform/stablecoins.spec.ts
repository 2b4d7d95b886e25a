import { cameAtOnce } from '../../suite/eventually.ts';
import {
  eventually,
  expect,
  succeeded,
  inTime,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type StateRequest,
} from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';
import { expectError } from '../support/refusals.ts';

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
  const { id } = (succeeded(answer) ? (answer.body ?? {}) : {}) as { readonly id?: unknown };
  if (typeof id !== 'string') return;
  const listed = await operationsOf(platform, id);
  const about = { 'operations of a new one': operationsIn(listed).length, shown: fieldsOf(listed) };
  observe('stablecoin-operations-shape', about, listed);
});

for (const [says, kind, rule, minted] of [
  ['a stablecoin can be minted that never was', 'mint', 'STABLECOIN-MINT', {}],
  ['a registered stablecoin can take a mint', 'mint', 'STABLECOIN-MINT', { minted: MINTED }],
  ['a registered stablecoin can take a burn', 'burn', 'STABLECOIN-BURN', { minted: MINTED }],
] as const)
  test(says, verifies(rule), async ({ given, need, check, observe }) => {
    const answer = await (await registered(given, need, minted)).issue(kind);
    await check(rule, () => expect(answer).toBeAccepted());
    observe('stablecoin-operations-shape', { [kind]: answer.outcome, shown: fieldsOf(answer) }, answer);
  });

for (const kind of ['mint', 'burn'] as const)
  test(
    `a ${kind} is nothing that another platform can do`,
    verifies('AUTH-OTHER-PLATFORM'),
    async ({ given, need, check }) => {
      const other = given.platformOf((await issuer(given)).values);
      need(await (await registered(given, need, { minted: MINTED })).issue(kind)).accepted();
      const { issue } = await registered(given, need, { minted: MINTED });
      const tried = await issue(kind, other);
      await check('AUTH-OTHER-PLATFORM', () => expect(tried).toBeRefused());
    },
  );

for (const kind of ['mint', 'burn'] as const)
  test(
    `a ${kind} can be followed until it is settled`,
    verifies('STABLECOIN-OPERATIONS-TRACKED'),
    async ({ given, need, check, platform, observe }) => {
      const { list, issue } = await registered(given, need, { minted: MINTED });
      const before = await list();
      need(before).available();
      const known = new Set(operationsIn(before).map(({ id }) => id));
      need(await issue(kind)).accepted();
      const fresh = (seen: Answer) => operationsIn(seen).filter(({ id }) => !known.has(id));
      const listed = await eventually(list, (seen) => fresh(seen).length > 0, platform.patienceMs);
      need(listed).available();
      const isThere = fresh(listed).length > 0;
      // Where it is not listed, one of the other kind shows how soon they are.
      const sibling = isThere ? undefined : await issue(kind === 'mint' ? 'burn' : 'mint');
      if (sibling) need(sibling).accepted();
      const later = isThere
        ? listed
        : await eventually(list, (seen) => fresh(seen).length > 0, platform.patienceMs);
      const tracked = await check(
        'STABLECOIN-OPERATIONS-TRACKED',
        () => expect(fresh(listed).length, `operations that are new after the ${kind}`).toBeGreaterThan(0),
        fresh(later).length === 1 && cameAtOnce() ? [listed, later] : inTime(listed, later),
      );
      if (!tracked) return;
      const statuses = new Set<string>();
      const isOnItsWay = (seen: Answer) => {
        const now = fresh(seen).map(({ status }) => String(status));
        for (const status of now) statuses.add(status);
        return now.find((status) => ON_ITS_WAY.test(status));
      };
      const last = await eventually(list, (seen) => isOnItsWay(seen) === undefined, platform.patienceMs);
      observe('stablecoin-operations-shape', { [`statuses of a ${kind}`]: [...statuses] }, last);
      const onItsWay = isOnItsWay(last);
      const now = fresh(last).map(({ status }) => String(status));
      // A failure, or a word of its own, is no settlement, and no breach either.
      need.offered(
        onItsWay !== undefined || now.some((status) => SETTLED.test(status)),
        `no status of the ${kind} could be recognised as settled (${now.join(', ')})`,
      );
      await check(
        'STABLECOIN-OPERATIONS-TRACKED',
        () => expect(onItsWay, `the status of a ${kind} that does not settle`).toBeUndefined(),
        inTime(last),
      );
    },
  );

test(
  'a mint is not among the operations of another stablecoin',
  verifies('STABLECOIN-OPERATIONS-TRACKED'),
  async ({ given, need, check, platform }) => {
    const one = await registered(given, need, {});
    const other = await registered(given, need, {});
    need.offered(one.id !== other.id, 'the state gives no second stablecoin');
    need(await one.issue('mint')).accepted();
    const minted = await eventually(one.list, (seen) => operationsIn(seen).length > 0, platform.patienceMs);
    const ids = new Set(operationsIn(minted).map(({ id }) => id));
    need.offered(ids.size > 0, 'the mint could not be recognised');
    const seen = await other.list();
    need(seen).available();
    await check('STABLECOIN-OPERATIONS-TRACKED', () =>
      expect(operationsIn(seen).filter(({ id }) => ids.has(id))).toEqual([]),
    );
  },
);

/** A provider account that is not taken, and a right one: each of a platform of its own. */
interface Refused {
  readonly rule: string;
  readonly says: string;
  /** What the provider accounts of the platform are, and of that of the control where it is another. */
  readonly params: object;
  readonly control?: object;
  /** The one that is named. */
  readonly named: (values: Stablecoin, need: Need, given: Given) => string | undefined | Promise<string>;
  /** 400 unless given. */
  readonly status?: number;
  /** None where several say what is wrong. */
  readonly code?: string;
}

const second = ({ providerAccountIds }: Stablecoin, need: Need) =>
  need.that(providerAccountIds[1], 'the state gives one link only');

const REFUSED: readonly Refused[] = [
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-INVALID',
    says: 'a link that is not usable',
    params: { providerAccounts: ['ACTIVE', 'INVALID'] },
    named: second,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  },
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-REVOKED',
    says: 'a link that is revoked',
    params: { providerAccounts: ['ACTIVE', 'REVOKED'] },
    named: second,
    code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  },
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-SELECTION',
    says: 'several links and none named',
    params: { providerAccounts: ['ACTIVE', 'ACTIVE'] },
    control: { providerAccounts: ['ACTIVE'] },
    named: () => undefined,
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
  {
    rule: 'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN',
    says: "another platform's link",
    params: {},
    named: async (_, need, given) =>
      need.offered((await issuer(given, {})).values.providerAccountIds[0], 'the state gives no link'),
  },
];

for (const { rule, says, params, control, named, status = 400, code } of REFUSED)
  test(`a stablecoin is not registered with ${says}`, verifies(rule), async ({ given, need, check }) => {
    // A platform of its own for each: that the same coin can be registered twice is nowhere said.
    const right = await issuer(given, control ?? params);
    const only = control ? undefined : right.values.providerAccountIds[0];
    need(await register(right.platform, right.values, 'registering with an active link', only)).accepted();
    const { platform, values } = await issuer(given, params);
    const registered = await register(
      platform,
      values,
      `registering with ${says}`,
      await named(values, need, given),
    );
    const answer = await orItsMint(platform, values, registered);
    // Another's link is not found, or not usable here.
    if (code === undefined) await check(rule, () => expect(answer).toBeRefused());
    else await check(rule, () => expectError(answer, status, code));
  });

test(
  'nothing is to be selected where all links but one are revoked',
  verifies('STABLECOIN-PROVIDER-ACCOUNT-SELECTION'),
  async ({ given, need, check }) => {
    const params = { providerAccounts: ['ACTIVE', 'REVOKED'] };
    const right = await issuer(given, params);
    const only = need.that(right.values.providerAccountIds[0], 'the state gives no link');
    need(await register(right.platform, right.values, 'registering with the active link', only)).accepted();
    const { platform, values } = await issuer(given, params);
    const answer = await register(platform, values, 'registering with no link named');
    await check('STABLECOIN-PROVIDER-ACCOUNT-SELECTION', () =>
      expect(answer).not.toHaveCode('STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'),
    );
  },
);

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
  return { platform: given.ownPlatform(values), values };
}

/** The same with a stablecoin that is registered, and what is done with it. */
async function registered(given: Given, need: Need, params: object) {
  const { platform, values } = await issuer(given, { registered: true, ...params });
  const stablecoinId = need.offered(values.stablecoinId, 'the state gives no registered stablecoin');
  return {
    id: stablecoinId,
    list: () => operationsOf(platform, stablecoinId),
    /** POST /stablecoins/{stablecoinId}/mints or …/burns */
    issue: (kind: 'mint' | 'burn', caller = platform) =>
      caller.call(kind === 'mint' ? 'mintStablecoin' : 'burnStablecoin', {
        label: `${caller === platform ? 'the' : 'another'} platform asks for a ${kind}`,
        path: { stablecoinId },
        body: bodyIn(values[kind]),
      }),
  };
}

function operationsOf(platform: Platform, stablecoinId: string): Promise<Answer> {
  const label = "the stablecoin's operations";
  return platform.call('listStablecoinOperations', { label, path: { stablecoinId } });
}

/** Where a link is looked at is not shown: what was registered with a wrong one may be refused when it is minted. */
async function orItsMint(platform: Platform, values: Stablecoin, registered: Answer): Promise<Answer> {
  const { id } = (succeeded(registered) ? (registered.body ?? {}) : {}) as { readonly id?: unknown };
  if (typeof id !== 'string') return registered;
  const minted = await platform.call('mintStablecoin', {
    label: 'minting the coin that was registered so',
    path: { stablecoinId: id },
    body: bodyIn(values.mint),
  });
  const isOfLink = succeeded(minted) || /^STABLECOIN_PROVIDER_ACCOUNT/.test(minted.code ?? '');
  return isOfLink ? minted : registered;
}

/** The body alone, where a state gives a whole request. */
function bodyIn(given: object): object {
  const { method, path, body } = (given as Partial<StateRequest> | undefined) ?? {};
  return method !== undefined && path !== undefined ? ((body ?? {}) as object) : given;
}

/** POST /stablecoins */
function register(
  platform: Platform,
  values: Stablecoin,
  label: string,
  providerAccountId?: string,
): Promise<Answer> {
  const named = providerAccountId === undefined ? {} : { stablecoinProviderAccountId: providerAccountId };
  return platform.call('registerStablecoin', { label, body: { ...bodyIn(values.register), ...named } });
}
