import { randomUUID } from 'node:crypto';
import { basicAuthorization } from '../../client/authorization.ts';
import { expect, test, verifies, type Agent, type Given } from '../../suite/index.ts';
import { NOT_FOR_AGENTS } from '../support/agents.ts';
import { inTurn } from '../support/replay.ts';
import { type Attempt, HEXADECIMAL, namesTheCause } from '../support/auth.ts';

/** Agent operations; the interface shows the first alone, the others serve where the target offers them. */
const OPERATIONS = [
  'transferOut',
  'transferIn',
  'getMe',
  'listMyActions',
  'getMyAction',
  'listMyInternalAccounts',
  'listMyExternalAccounts',
  'listMyTransactions',
  'createAgentQuote',
  'executeAgentQuote',
] as const;
type Operation = (typeof OPERATIONS)[number];

for (const operation of OPERATIONS)
  test(
    `${operation} takes the agent's own token, and nothing else`,
    verifies('AUTH-AGENT-NONE', 'AUTH-AGENT-WRONG-TOKEN', 'AUTH-AGENT-REFUSES-BASIC', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, observe, platform }) => {
      const { agent, send } = await sending(given, operation);
      const { authorization, state } = agent;
      need(await send(authorization, "the agent's own token")).available();
      const none = await send(undefined, 'no credentials');
      const wrong = await inTurn(wrongTokens(state.accessToken), ([what, token]) =>
        send(agent.authorizationWith(token), what),
      );
      const basic = await send(platform.authorization, "the platform's credentials");

      await check('AUTH-AGENT-NONE', () => expect(none).toHaveHttpStatus(401));
      await check('AUTH-AGENT-WRONG-TOKEN', () => {
        for (const answer of wrong) expect(answer).toHaveHttpStatus(401);
      });
      // To the platform an operation that is not shown may be that of an agent of the id "me", which is none.
      const refusals = operation === 'transferOut' ? [401, 403] : NOT_FOR_AGENTS;
      await check('AUTH-AGENT-REFUSES-BASIC', () => expect(basic).toBeRefused(...refusals));
      await namesTheCause(check, [none, basic]);
      // A token may be signed, as how it is made is not shown, and its header be a signature header.
      await namesTheCause(check, wrong, ['UNAUTHORIZED', 'INVALID_SIGNATURE']);
      observe('www-authenticate', none.header('www-authenticate') ?? 'absent', none);
      observe('agent-wrong-scheme-answer', basic);
    },
  );

test('in which header an agent token travels, and whether it or the body is read first, is left open', async ({
  given,
  observe,
}) => {
  const agent = await given.agent();
  const { accessToken } = agent.state;
  await agent.needTransfer();
  const send: Attempt = (authorization, label) => agent.transferOut({}, { authorization, label });
  const lower = await send(`bearer ${accessToken}`, 'the scheme in lower case');
  observe('agent-token-header', lower.accepted ? 'Bearer, in any case' : 'Bearer, in this case only', lower);

  const malformed = {
    'a scheme without a token': 'Bearer',
    'a token without a scheme': accessToken,
    'a token as Basic user': basicAuthorization(accessToken, ''),
  };
  for (const [what, authorization] of Object.entries(malformed))
    observe('platform-malformed-authorization', await send(authorization, what));

  const both = await agent.transferOut(
    { source: undefined },
    { authorization: undefined, label: 'no credentials and an invalid body' },
  );
  observe('check-order-authentication-body', both.status === 401 ? 'authentication first' : both, both);
});

/** An agent, and its calls of the operation with these or those credentials. */
async function sending(given: Given, operation: Operation): Promise<{ agent: Agent; send: Attempt }> {
  if (operation !== 'createAgentQuote' && operation !== 'executeAgentQuote') {
    const agent = await given.agent();
    const made = operation === 'getMyAction' ? await agent.needTransfer() : undefined;
    const send: Attempt = (authorization, what) => {
      const told = { authorization, label: `${operation} with ${what}` };
      if (made) return agent.readAction(String(made.body.id), told);
      return operation === 'transferOut' || operation === 'transferIn'
        ? agent[operation]({}, told)
        : agent.call(operation, told);
    };
    return { agent, send };
  }
  const agent = await given.agentWithQuotes();
  const send: Attempt = async (authorization, what) => {
    const told = { authorization, label: `${operation} with ${what}` };
    if (operation === 'createAgentQuote') return agent.createQuote({}, told);
    // One of its own for each, as a quote is executed once.
    return agent.executeQuote((await agent.needQuote()).id, told);
  };
  return { agent, send };
}

/**
 * Tokens that are nobody's: one is made up, and the others are the agent's own with something changed. The form of a token is
 * not shown: where its second half has letters of one case alone, or is hexadecimal, case may say nothing.
 */
function wrongTokens(token: string): readonly (readonly [what: string, token: string])[] {
  // In the middle: the last letter of an encoded token may hold bits that nobody reads.
  const middle = Math.floor(token.length / 2);
  const [start, end] = [token.slice(0, middle), token.slice(middle)];
  const caseMayTell = /[a-z]/.test(end) && /[A-Z]/.test(end) && !HEXADECIMAL.test(end);
  return [
    ['an invented token', randomUUID()],
    // Four letters are whole bytes of an encoded token.
    ['its token and four letters more', `${token}AbCd`],
    ['a token with one letter changed', `${start}${end.startsWith('a') ? 'b' : 'a'}${end.slice(1)}`],
    ...(caseMayTell
      ? [
          ['its token, half in capital letters', start + end.toUpperCase()] as const,
          ['its token, half in small letters', start + end.toLowerCase()] as const,
        ]
      : []),
  ];
}
