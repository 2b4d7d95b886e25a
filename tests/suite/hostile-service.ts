import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENCODERS } from '../client/encoders.ts';
import { ACTION, AGENT, refuse, send, serving, type SmallService } from './small-service.ts';

/** One secret of each kind, by what it is. None of them stands in a fixture spec. */
export const CANARIES = {
  clientSecret: 'kc7Canary0client+secret/Q9x2vTb',
  statesToken: 'kd8Canary1states-token-W3m5nRc',
  accessToken: 'ke9Canary2agent-token-E4p6sUd',
  stateSecret: 'kf0Canary3webhook-secret-R5q7tVe',
  privateKey: '5ec4e7c0ffee00d1b2a3948576675849302134a5b6c7d8e9fa0b1c2d3e4f5061',
  contactCode: '73915228',
  smsCode: '641907',
  deviceCode: 'kg1Canary4device-code-T6r8uWf',
  stamp: Buffer.from('{"publicKey":"02ab","scheme":"S","signature":"kh2Canary5"}').toString('base64url'),
  sessionKey: 'ki3Canary6sealedSessionKeyY7s9vXg',
  answeredToken: 'kj4Canary7refresh-token-U8t0wYh',
  otpBundle: JSON.stringify({ encappedPublic: '04kk5Canary8', ciphertext: 'kl6Canary9bundle' }),
} as const;

export const CLIENT_ID = 'hostile-client';
const UUID = '01234567-89ab-4def-8123-456789abcdef';

/** Everything that a service can know, written in every way. */
function everything(request: IncomingMessage): Readonly<Record<string, unknown>> {
  const heard = JSON.stringify(request.rawHeaders);
  // What Assay has never sent nor been given, it cannot know.
  const known = Object.entries(CANARIES).flatMap(([what, canary]) =>
    what !== 'stamp' || heard.includes(canary) ? [canary] : [],
  );
  return {
    heard,
    asFields: Object.fromEntries(known.map((canary) => [canary, canary])),
    asTexts: known.map((canary) => `it was ${canary}, wasn't it?`),
    inForms: Object.values(ENCODERS).map((encode) => known.map((canary) => encode(`<${canary}>`))),
    nested: JSON.stringify({ again: JSON.stringify({ accessToken: 'unregistered-Canary', known }) }),
    echo: CANARIES.accessToken,
    echoOfBasic: `${CLIENT_ID}:${CANARIES.clientSecret}`,
    refreshToken: CANARIES.answeredToken,
    encryptedSessionSigningKey: CANARIES.sessionKey,
    deviceCode: { code: CANARIES.deviceCode },
    encryptedOtpBundle: CANARIES.otpBundle,
  };
}

/** Prepares states, and answers every call with all secrets that it has heard or given, in every place of an answer. */
export function hostileService(): Promise<SmallService> {
  const { clientSecret: secret, statesToken } = CANARIES;
  return serving(route, { id: CLIENT_ID, secret, statesToken });
}

function route(request: IncomingMessage, response: ServerResponse, text: string): void {
  const { url = '', headers } = request;
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CANARIES.clientSecret}`).toString('base64')}`;
  if (url.startsWith('/states'))
    return states(response, (JSON.parse(text || '{}') as { state: string }).state);
  if (url.endsWith('/customers/end-user-terms')) return send(response, 200, { version: '1' });
  if (headers.authorization !== basic && headers.authorization !== `Bearer ${CANARIES.accessToken}`)
    return refuse(response, 401, 'UNAUTHORIZED');
  const place = (/"place":"(\w+)"/.exec(text) ?? [])[1];
  if (place === undefined) return refuse(response, 404, 'QUOTE_NOT_FOUND');
  plant(place, request, response);
}

function states(response: ServerResponse, state: string): void {
  if (state !== 'agent')
    return send(response, 404, {
      message: `no ${state} for ${CANARIES.statesToken} or ${CANARIES.accessToken}`,
    });
  const { accessToken, stateSecret, privateKey, contactCode, smsCode, deviceCode } = CANARIES;
  send(response, 200, {
    ...AGENT,
    ...{ accessToken, smsCode, contactCode },
    webhook: { secret: stateSecret },
    wallet: { privateKey, scheme: 'ed25519' },
    devices: [{ code: deviceCode }],
  });
}

function plant(place: string, request: IncomingMessage, response: ServerResponse): void {
  const { accessToken, clientSecret, answeredToken } = CANARIES;
  const plants = everything(request);
  const headers = {
    location: `https://example.com/?access_token=${accessToken}&next=${encodeURIComponent(clientSecret)}`,
    'set-cookie': `session=${answeredToken}`,
    'x-echo': JSON.stringify(request.rawHeaders),
    'x-debug-token': answeredToken,
  };
  switch (place) {
    case 'error':
      return send(
        response,
        400,
        { status: 400, code: accessToken, message: JSON.stringify(plants), details: plants },
        headers,
      );
    case 'redirect':
      response.writeHead(302, `see ${accessToken}`, headers).end();
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${JSON.stringify(plants)}</p>`);
      return;
    default:
      // Every field breaks the contract with a secret, so that messages show it.
      return send(
        response,
        201,
        {
          ...ACTION,
          ...plants,
          id: `AgentAction:${UUID}${accessToken}`,
          agentId: [[[accessToken]]],
          customerId: { [accessToken]: plants },
          platformCustomerId: plants,
          status: clientSecret,
          createdAt: 'x'.repeat(70) + clientSecret.repeat(9),
          transferDetails: { amount: accessToken, currency: JSON.stringify(plants), otp_code: 641907 },
        },
        headers,
      );
  }
}
