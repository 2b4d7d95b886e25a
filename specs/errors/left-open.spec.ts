import { ORDINARY_AMOUNT, test, type Answer } from '../../suite/index.ts';

/** Far beyond what a transfer-out can need, in bytes. */
const OVERSIZED = 2 * 1024 * 1024;

/** What an answer looks like: whether its body is the documented one is no question where the interface is silent. */
function described(answer: Answer): unknown {
  if (!answer.exchange.response) return answer.outcome;
  const { body } = answer as { body: { code?: unknown; message?: unknown; status?: unknown } | undefined };
  const known = ['status', 'code', 'message'].filter(
    (name) => body !== null && typeof body === 'object' && name in body,
  );
  return {
    status: answer.status,
    code: answer.code ?? 'none',
    body:
      body === undefined
        ? 'not JSON'
        : known.length === 3
          ? 'the error body'
          : `JSON with ${known.join(', ') || 'none of its fields'}`,
  };
}

test('what a path that is no operation answers', async ({ platform, observe }) => {
  const answer = await platform.call(
    { method: 'GET', path: '/no-such-route' },
    { label: 'a path that is no operation' },
  );
  observe('unknown-route', described(answer), answer);
});

test('what a wrong method answers', async ({ given, recorder, observe }) => {
  const agent = await given.agent();
  for (const method of ['PUT', 'GET', 'DELETE']) {
    const answer = await recorder.call({
      operation: { method, path: '/agents/me/transfer-out' },
      authorization: agent.authorization,
      label: `${method} of transfer-out`,
    });
    observe('wrong-method', { method, ...(described(answer) as object) }, answer);
  }
});

test('what another content type gets', async ({ given, need, observe }) => {
  const agent = await given.agent();
  need(await agent.transferOut()).accepted();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', undefined]) {
    const answer = await agent.transferOut(
      {},
      { headers: { 'content-type': type }, label: `a body as ${type ?? 'no content type'}` },
    );
    observe('wrong-content-type', { type: type ?? 'none', ...(described(answer) as object) }, answer);
  }
});

test('what a very large body gets', async ({ given, need, observe }) => {
  const agent = await given.agent();
  need(await agent.transferOut()).accepted();
  const answer = await agent.transferOut(
    { metadata: 'x'.repeat(OVERSIZED) },
    { label: `a body of ${OVERSIZED} bytes` },
  );
  observe('oversized-body', described(answer), answer);
});

test('what a second decision gets', async ({ given, need, platform, observe }) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  const pending = await agent.transferOut({ amount: ORDINARY_AMOUNT });
  need(pending).accepted();
  const id = need.offered((pending.body as { id?: string }).id, 'the action came without an id');
  need(await platform.approve(agent.state.agentId, id)).available();
  const again = await platform.approve(agent.state.agentId, id, { label: 'a second approval' });
  if (again.status === 409) observe('bodies-of-409-423-429', described(again), again);
});
