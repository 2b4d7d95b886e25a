import { randomUUID } from 'node:crypto';
import { fieldNames } from '../../schemas/openapi.ts';
import { test, type Answer, type Profile } from '../../suite/index.ts';

/** Paths that the resource areas suggest, and no operation names. */
const SUGGESTED = [
  '/config',
  '/customers',
  '/transactions',
  '/exchange-rates',
  '/invitations',
  '/discoveries',
  '/tokens',
  '/documents',
  '/cards',
  '/agents',
  '/webhooks',
  '/receiver',
  '/bulk-uploads',
];

test('how a version is selected, and what another date answers', async ({
  platform,
  recorder,
  profile,
  observe,
}) => {
  const usual = await platform.call('getEndUserTerms', { label: 'an operation of this version' });
  // A path of its own cannot leave the base address; a header is what other services take.
  const asked = await platform.call('getEndUserTerms', {
    label: 'the same with a version header',
    headers: { 'x-api-version': '2020-01-01', 'accept-version': '2020-01-01' },
  });
  const under = await recorder.call({
    operation: { method: 'GET', path: '/2020-01-01/customers/end-user-terms' },
    authorization: platform.authorization,
    label: 'another date further down the path',
  });
  observe(
    'version-selection',
    {
      segment: lastSegment(profile),
      usual: usual.outcome,
      header: asked.outcome,
      'another date in the path': under.outcome,
    },
    usual,
    asked,
    under,
  );
});

test('whether answers show a deprecation', async ({ platform, observe }) => {
  const answer = await platform.call('getEndUserTerms', { label: 'any answer' });
  const signs = Object.keys(answer.exchange.response?.headers ?? {}).filter((name) =>
    /deprecat|sunset|warning|^link$/i.test(name),
  );
  observe('deprecation-policy', signs.length > 0 ? signs : 'no sign', answer);
});

test("how far the target's clock is from that of the run", async ({ platform, observe }) => {
  const answer = await platform.call('getEndUserTerms', { label: 'any answer' });
  const date = answer.exchange.response?.headers['date'];
  const seconds =
    date === undefined ? undefined : Math.round((Date.parse(date) - answer.exchange.at) / 1_000);
  observe(
    'clock-offset',
    seconds === undefined || Number.isNaN(seconds)
      ? 'no Date header'
      : Math.abs(seconds) <= 2
        ? 'at most 2 s'
        : `${seconds} s`,
    answer,
  );
});

test('in which form uuids are written', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const answer = await agent.transferOut();
  need(answer).available();
  const uuids = [
    ...answer.text.matchAll(/:([0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"/gi),
  ];
  const cases = new Set(
    uuids.map(([, uuid]) =>
      uuid === uuid?.toLowerCase() ? 'lower case' : uuid === uuid?.toUpperCase() ? 'upper case' : 'mixed',
    ),
  );
  observe(
    'uuid-form',
    { case: [...cases], version: [...new Set(uuids.map(([, , version]) => version))] },
    answer,
  );
  const known = new Set(fieldNames('AgentAction'));
  observe(
    'extra-response-fields',
    Object.keys((answer.body as object | undefined) ?? {}).filter((name) => !known.has(name)),
    answer,
  );
});

test('which further endpoints there are', async ({ platform, observe }) => {
  const found: Record<string, string> = {};
  const answers: Answer[] = [];
  for (const path of SUGGESTED) {
    const answer = await platform.call({ method: 'GET', path }, { label: `whether ${path} can be read` });
    answers.push(answer);
    found[path] = answer.outcome;
  }
  const nothing = await platform.call(
    { method: 'GET', path: `/${randomUUID()}` },
    { label: 'a path that is surely none' },
  );
  observe('endpoint-list', { ...found, 'a path that is none': nothing.outcome }, ...answers, nothing);
});

function lastSegment(profile: Profile): string {
  return profile.baseUrl.split('/').at(-1) ?? '';
}
