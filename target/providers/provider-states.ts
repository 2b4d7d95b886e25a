import { bearerAuthorization } from '../../client/authorization.ts';
import { isObject, parsedOrNothing } from '../../schemas/json.ts';
import { STATE_NAMES } from '../states/catalogue.ts';
import { PROXY_FAILURE, type Exchange, type HttpClient } from '../../client/http/http-client.ts';
import { proxyFor } from '../../client/http/proxies.ts';
import {
  CannotPrepare,
  PreparationFailed,
  type StateParams,
  type StateProvider,
  type StateValues,
} from './state-provider.ts';

/** No target has it. */
export const NO_SUCH_STATE = 'assay-preflight';
/** What a gateway answers when nothing stands behind it. */
const GATEWAY = /^(502|503|504|52\d|530)$/;

/** Asks a provider-states URL, in the convention of Pact. */
export class ProviderStates implements StateProvider {
  readonly name = 'provider-states';
  readonly #http: Pick<HttpClient, 'send'>;
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(http: Pick<HttpClient, 'send'>, url: string, token: string | undefined) {
    this.#http = http;
    this.#url = url;
    this.#token = token;
  }

  /** Why nothing can be prepared at this URL, or undefined when somebody there serves a state. What it makes is removed again. */
  async obstacle(): Promise<string | undefined> {
    const { response, failure } = await this.#post('setup', NO_SUCH_STATE, {});
    if (!response)
      return failure?.startsWith(PROXY_FAILURE)
        ? failure
        : `${failure}; check the address, and that the endpoint runs`;
    const { status, headers, text } = response;
    if (isRefusedToken(status))
      return `it answers ${status}, ${this.#token ? 'check PROVIDER_STATES_TOKEN' : 'set PROVIDER_STATES_TOKEN, or its path where the endpoint wants no token'}`;
    if (status >= 300 && status < 400) return `it redirects (${status}), and redirects are not followed`;
    if (GATEWAY.test(String(status))) return this.#gateway(status);
    // A 404 is what an unknown state gets, with any body; only a page shows that nobody expects a call there.
    if (status === 405 || /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text))
      return `it answers ${status} as a web page or another service does, but it must be the address of the provider-states endpoint (docs/provider-states.md)`;
    if (status < 300)
      return `it answers ${status} to a state that nobody has, so nothing tells which ones it serves; answer 404 to those that it does not`;
    if (await this.#servesAny(status)) return undefined;
    return `it answers ${status} to every state, so it serves none of them; check its path, which must be that of the provider-states endpoint (docs/provider-states.md)`;
  }

  #gateway(status: number): string {
    const proxy = this.#url.startsWith('http:') ? proxyFor(this.#url) : undefined;
    return proxy
      ? `the proxy ${proxy.host} (${proxy.variable}) answers ${status}: check that it may reach this host and that the endpoint runs, or name the host in NO_PROXY`
      : `it answers ${status}, start the endpoint and try again`;
  }

  /** @param unknown status that a state gets which nobody has */
  async #servesAny(unknown: number): Promise<boolean> {
    // A param that nobody knows is refused before anything is made; who overlooks it shows that he knows the state.
    for (const params of [{ [NO_SUCH_STATE]: true }, {}])
      for (const state of STATE_NAMES) {
        const { response } = await this.#post('setup', state, params);
        if (!response || response.status === unknown) continue;
        if (response.status < 300) await this.tearDown(state, valuesIn(response.text) ?? {});
        return true;
      }
    return false;
  }

  async setUp(state: string, params: StateParams): Promise<StateValues> {
    const { response, failure } = await this.#post('setup', state, params);
    if (!response) throw failed(`the provider-states URL gave no answer: ${failure}`);
    const { status, text } = response;
    if (isRefusedToken(status))
      throw failed(`the provider-states URL answers ${status}: check PROVIDER_STATES_TOKEN`);
    // It says nothing about the state.
    if (status === 429) throw failed('the provider-states URL answers 429: too many requests');
    if (status >= 400 && status < 500)
      throw new CannotPrepare(
        `the target cannot prepare the state "${state}" (${status}${hint(text)})`,
        status,
      );
    if (status < 200 || status > 299) throw failed(`the state "${state}" answers ${status}${hint(text)}`);
    return parseValues(state, text);
  }

  async tearDown(state: string, values: StateValues): Promise<void> {
    await this.#post('teardown', state, values);
  }

  #post(action: 'setup' | 'teardown', state: string, params: unknown): Promise<Exchange> {
    return this.#http.send({
      method: 'POST',
      url: this.#url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(this.#token ? { authorization: bearerAuthorization(this.#token) } : {}),
      },
      body: JSON.stringify({ state, params, action }),
    });
  }
}

function failed(message: string): PreparationFailed {
  return new PreparationFailed(message, 'let the provider-states URL answer as docs/provider-states.md says');
}

function isRefusedToken(status: number): boolean {
  return status === 401 || status === 403;
}

function parseValues(state: string, text: string): StateValues {
  const values = valuesIn(text);
  if (values) return values;
  throw failed(`the state "${state}" must answer with a JSON object of values`);
}

function valuesIn(text: string): StateValues | undefined {
  const values = text === '' ? {} : parsedOrNothing(text);
  return isObject(values) ? values : undefined;
}

function hint(text: string): string {
  const { message } = (parsedOrNothing(text) ?? {}) as { message?: unknown };
  return typeof message === 'string' ? `: ${message.slice(0, 200)}` : '';
}
