import { randomUUID } from 'node:crypto';
import type { HttpClient } from '../client/http/http-client.ts';
import { basicAuthorization } from '../client/authorization.ts';
import type { Operation } from '../schemas/contract.ts';
import {
  type Probe,
  type Question,
  ask,
  codeOf,
  isRefusedInForm,
  statusOf,
} from '../target/preflight/probes.ts';
import type { Profile } from '../target/profile.ts';

/** How one operation of the contract answered a request that can change nothing. */
export interface FoundOperation {
  readonly id: string;
  /** `unclear`: its 404 for an unknown record is the one that every route gets. */
  readonly found: 'there' | 'not there' | 'unclear' | 'refused' | 'broken';
  readonly status: number;
  /** It took what nobody should take, and may have made something. */
  readonly accepted?: true;
}

/** Takes any body, and changes what everybody sees. */
const NEVER = new Set(['updateConfig']);
/** Are asked about a record in the query, which nobody has. */
const NAMED_BY_QUERY = new Set(['listCredentials', 'listSessions']);
/** So many at once are a burst that any service takes. */
const AT_ONCE = 4;

/**
 * Asks every operation once, about records that nobody has and with a list where an object belongs, so that a service which
 * reads what it gets makes and changes nothing.
 */
export async function findOperations(
  profile: Profile,
  http: HttpClient,
  operations: Iterable<Operation>,
): Promise<readonly FoundOperation[]> {
  const platform = basicAuthorization(profile.clientId, profile.clientSecret);
  const send = (question: Question, authorization: string | undefined) =>
    ask(http, profile.baseUrl, question, authorization, profile.requestTimeoutMs);
  const nowhere = `/assay-no-such-route-${randomUUID()}`;
  const undefinedRoutes = await Promise.all(
    [platform, undefined].flatMap((authorization) => [
      send({ method: 'GET', path: nowhere }, authorization),
      send({ method: 'POST', path: nowhere, body: '[]' }, authorization),
    ]),
  );
  const waiting = [...operations].filter(({ id }) => !NEVER.has(id));
  const found: FoundOperation[] = [];
  const work = async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      const isOfAgents = operation.path.startsWith('/agents/me');
      const isOpen = isOfAgents || operation.id === 'redeemDeviceCode';
      const probe = await send(questionFor(operation, isOfAgents), isOpen ? undefined : platform);
      found.push(verdict(operation, probe, undefinedRoutes));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function questionFor({ method, path }: Operation, ofAgents: boolean): Question {
  const id = randomUUID();
  const filled = path
    .replace(/\{code\}/, `assay-${id}`)
    .replace(/\{(\w+)\}/g, (_, name: string) => `${typeOf(name, path)}:${id}`);
  const query =
    method === 'GET' && !ofAgents ? `?customerId=Customer:${id}&accountId=InternalAccount:${id}` : '';
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '[]' };
  return { method, path: `${filled}${query}`, ofAgents, ...body };
}

function typeOf(name: string, path: string): string {
  if (name !== 'id') return `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/Id$/, '')}`;
  if (path.includes('external-accounts')) return 'ExternalAccount';
  if (path.includes('internal-accounts')) return 'InternalAccount';
  return path.includes('sessions') ? 'Session' : 'AuthMethod';
}

function verdict({ id, path }: Operation, probe: Probe, undefinedRoutes: readonly Probe[]): FoundOperation {
  const status = statusOf(probe);
  if (status === 0 || status >= 500) return { id, found: status === 501 ? 'not there' : 'broken', status };
  if (status === 405) return { id, found: 'not there', status };
  const nobodyElse = undefinedRoutes.every((other) => statusOf(other) !== status);
  if (status < 300) {
    const changes = probe.question.method !== 'GET';
    return { id, found: nobodyElse ? 'there' : 'unclear', status, ...(changes ? { accepted: true } : {}) };
  }
  if (status === 401 || status === 403) {
    if (probe.question.ofAgents || id === 'redeemDeviceCode')
      return { id, found: nobodyElse ? 'there' : 'unclear', status };
    return { id, found: 'refused', status };
  }
  if (status !== 404)
    return { id, found: nobodyElse || isRefusedInForm(probe, undefinedRoutes) ? 'there' : 'unclear', status };
  if (isRefusedInForm(probe, undefinedRoutes)) return { id, found: 'there', status };
  // This code may speak of any record, although every unknown route gets it too.
  const namesRecord = path.includes('{') || NAMED_BY_QUERY.has(id);
  const maySpeakOfRecord = namesRecord && codeOf(probe) === 'REFERENCE_NOT_FOUND';
  const isOfRoute = sameAs(probe, undefinedRoutes) && !maySpeakOfRecord;
  return { id, found: isOfRoute ? 'not there' : 'unclear', status };
}

/** Whether the answer is the one that every unknown route gets, word for word but for the path. */
function sameAs(probe: Probe, others: readonly Probe[]): boolean {
  const shape = ({ exchange, question }: Probe) =>
    (exchange.response?.text ?? '')
      .replaceAll(question.path, '')
      .replaceAll(question.path.split('?')[0] as string, '')
      .replaceAll(question.method, '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
  return others.some((other) => shape(other) === shape(probe));
}
