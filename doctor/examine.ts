import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentAuthorization, basicAuthorization } from '../client/authorization.ts';
import type { Exchange, HttpClient } from '../client/http/http-client.ts';
import type { StateRequest } from '../suite/api/platform.ts';
import { EventLog, pathFor } from '../suite/event-log.ts';
import { EventReceiver, openRelay } from '../suite/run/event-receiver.ts';
import { eventually } from '../suite/eventually.ts';
import type { Profile } from '../target/profile.ts';
import { NO_SUCH_STATE, type ProviderStates } from '../target/providers/provider-states.ts';
import type { StateProvider } from '../target/providers/state-provider.ts';

/** The first one makes the connection. */
const LOOKS = 5;
/** Longest part of a header that is quoted, in characters. */
const QUOTED = 80;

/** How the target answers a read: how fast, and by which clock. */
interface Pulse {
  /** The shortest of several, in milliseconds: what is longer was kept waiting on this machine. */
  readonly latencyMs: number;
  /** How far the target's clock is ahead of this machine's, in seconds; undefined where no answer carries a date. */
  readonly aheadSeconds: number | undefined;
}

/** @param path of a read, below the base URL */
export async function takePulse(profile: Profile, http: HttpClient, path: string): Promise<Pulse> {
  const request = {
    method: 'GET',
    url: `${profile.baseUrl}${path}`,
    headers: {
      accept: 'application/json',
      authorization: basicAuthorization(profile.clientId, profile.clientSecret),
    },
  };
  const times: number[] = [];
  let aheadSeconds: number | undefined;
  for (let round = 0; round < LOOKS; round += 1) {
    const { at, milliseconds, response } = await http.send(request);
    times.push(milliseconds);
    const date = Date.parse(response?.headers['date'] ?? '');
    // A date is cut to whole seconds.
    if (!Number.isNaN(date)) aheadSeconds = (date + 500 - (at + milliseconds / 2)) / 1_000;
  }
  return { latencyMs: Math.min(...times.slice(1)), aheadSeconds };
}

/** How long one answer of who prepares states takes, in milliseconds. Nothing is prepared. */
export async function latencyOfStates(provider: ProviderStates): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < LOOKS; round += 1) {
    const started = performance.now();
    await provider.setUp(NO_SUCH_STATE, {}).catch(() => undefined);
    times.push(performance.now() - started);
  }
  return Math.min(...times.slice(1));
}

/** What an agent's own token is worth: `taken`, or why not. */
export async function tryAgentToken(
  profile: Profile,
  http: HttpClient,
  provider: StateProvider,
): Promise<string> {
  const values = await provider.setUp('agent', {}).catch((error: Error) => error);
  if (values instanceof Error) return `not tried: ${values.message}`;
  const authorization = agentAuthorization(String(values['accessToken']), profile.dialect.agentToken);
  const sent =
    typeof authorization === 'string'
      ? { authorization }
      : { [authorization.header.toLowerCase()]: authorization.value };
  const { response, failure } = await http.send({
    method: 'POST',
    url: `${profile.baseUrl}/agents/me/transfer-out`,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...sent },
    body: '[]',
  });
  await provider.tearDown('agent', values);
  if (!response) return `no answer: ${failure}`;
  const { status } = response;
  const said = response.headers['www-authenticate']?.slice(0, QUOTED);
  if (status === 401)
    return `refused with 401${said === undefined ? '' : ` (the target says: ${said})`}: say in the profile how it is sent (dialect.agentToken), or let the state agent give a live one`;
  if (status === 404) return 'the transfer-out of agents answers 404';
  return status >= 500 ? `the transfer-out of agents answers ${status}` : 'taken';
}

/** Whether a test event is found in the target's own log: `arrives`, or why not. */
export async function tryEventLog(profile: Profile, http: HttpClient): Promise<string> {
  const { path = '', test } = profile.eventLog ?? {};
  const log = await EventLog.open(profile, http);
  if (typeof log === 'string') return `the log at ${path} ${log}`;
  if (test === undefined)
    return `the log at ${path} can be read; with eventLog.test the doctor sees whether an event arrives`;
  const [method = '', template = ''] = test.split(' ');
  const { response } = await sendAsPlatform(profile, http, { method, path: pathFor(template, undefined) });
  if (!response || response.status >= 300)
    return `the request for a test event was answered ${response?.status ?? 'not at all'}`;
  const { eventSeconds } = profile.dialect;
  const came = await eventually(
    () => log.look(),
    (events) => events.length > 0,
    eventSeconds * 1_000,
  );
  if (typeof came === 'string') return `the log at ${path} ${came}`;
  if (came.length > 0) return 'arrives';
  return `no test event came into the log at ${path} within ${eventSeconds} s: is eventLog.event where the event is in an entry?`;
}

/** Whether a test event arrives: `arrives`, or why not. */
export async function tryEvent(profile: Profile, http: HttpClient, provider: StateProvider): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
  let arrived: (value: boolean) => void = () => undefined;
  const coming = new Promise<boolean>((resolve) => (arrived = resolve));
  const { webhooks } = profile;
  const relay = webhooks && (await openRelay(webhooks, folder));
  const receiver = await EventReceiver.open(() => arrived(true), webhooks && { url: webhooks.url, folder });
  const { url } = receiver;
  const timer = setTimeout(() => arrived(false), profile.dialect.eventSeconds * 1_000);
  try {
    const values = await provider.setUp('webhook', { url });
    const test = values['test'] as StateRequest | undefined;
    if (!test) return 'not tried: the state webhook gives no request that sends a test event';
    const { response } = await sendAsPlatform(profile, http, test);
    const came = response && response.status < 300 ? await coming : false;
    await provider.tearDown('webhook', values);
    if (came) return 'arrives';
    if (!response || response.status >= 300)
      return `the request for a test event was answered ${response?.status ?? 'not at all'}`;
    return `no test event came to ${url} within ${profile.dialect.eventSeconds} s: a target elsewhere needs webhookListen and webhookUrl, or eventLog`;
  } catch (error) {
    return `not tried: ${(error as Error).message}`;
  } finally {
    clearTimeout(timer);
    await receiver.close();
    relay?.closeAllConnections();
    relay?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sendAsPlatform(
  { baseUrl, clientId, clientSecret }: Profile,
  http: HttpClient,
  { method, path, body }: StateRequest,
): Promise<Exchange> {
  return http.send({
    method,
    url: `${baseUrl}${path}`,
    headers: {
      authorization: basicAuthorization(clientId, clientSecret),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
