import { giving, where, coded, nothing } from '../areas/replacements.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { agentsByToken } from '../areas/agents/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { Reply } from '../server/area.ts';
import { isObject, type Json, printJson } from '../server/json.ts';
import { refuse, Refusal, refusalOf, refusedAs } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Choices } from './index.ts';

/** How long an answer to a read is given again, in milliseconds. */
const KEPT_MILLISECONDS = 1_000;

/** Answers to reads that are given again, by caller and address. */
const keptReads = new WeakMap<World, Map<string, { readonly reply: Reply; readonly until: number }>>();

/** @param byMs how far the clock of the service is ahead of ours, in milliseconds */
function clockApart(byMs: number): Replacements {
  const now = () => Date.now() + byMs;
  return {
    wallTime: () => now,
    finishReply: giving((done) => ({
      ...done,
      headers: { ...done.headers, date: new Date(now()).toUTCString() },
    })),
  };
}

/** How answers are written. */
export const formatChoices: Choices = {
  'unknown-fields': {
    open: 'Nothing says that an answer has only the fields of the tables; what is new in a version is added to them.',
    'in-every-object': {
      finishReply: giving((done) =>
        done.body === undefined
          ? done
          : { ...done, body: everyObject(done.body, (object) => ({ ...object, xFuture: { note: null } })) },
      ),
    },
  },
  'field-order': {
    open: 'The members of a JSON object have no order.',
    reversed: {
      finishReply: giving((done) => {
        const reversed = (object: { [key: string]: Json }) =>
          Object.fromEntries<Json>(Object.entries(object).reverse());
        return done.body === undefined ? done : { ...done, body: everyObject(done.body, reversed) };
      }),
    },
  },
  reads: {
    open: 'Nothing says how soon a read shows what was written before it.',
    'are-kept-for-a-second': {
      handleCall: (original) => async (world, call, route) => {
        if (route.method !== 'GET' || !call.caller) return original(world, call, route);
        const kept = (keptReads.get(world) ?? keptReads.set(world, new Map()).get(world))!;
        const key = JSON.stringify([call.caller.kind, call.caller.id, call.path, call.query]);
        const known = kept.get(key);
        if (known && performance.now() < known.until) return known.reply;
        const reply = await original(world, call, route);
        kept.set(key, { reply, until: performance.now() + KEPT_MILLISECONDS });
        return reply;
      },
    },
  },
  uuids: {
    open: 'Ids are <ResourceType>:<uuid>; neither the version nor the case of the uuid is stated.',
    'upper-case': { newUuid: () => () => randomUUID().toUpperCase() },
    'without-version': {
      newUuid: () => () =>
        randomBytes(16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    },
  },
  'json-text': {
    open: 'One JSON value has many texts: white space, escapes, and a whole number with a fraction of zero.',
    'spaced-and-escaped': {
      finishReply: giving(({ body, ...rest }) =>
        body === undefined ? rest : { ...rest, body: textOf(body) },
      ),
    },
  },
  'retry-after': {
    open: 'Retry-After is a number of seconds or a date.',
    'a-date': {
      retryAfter: () => (world, seconds) =>
        new Date(world.behaviour.wallTime() + seconds * 1_000).toUTCString(),
    },
  },
  timestamps: {
    open: 'Timestamps are ISO 8601 UTC strings; fractions and the way to write UTC are not stated.',
    'zero-offset': { presentTime: () => (_world, at) => new Date(at).toISOString().replace('Z', '+00:00') },
    'whole-seconds': { presentTime: () => (_world, at) => new Date(at).toISOString().replace(/\.\d+/, '') },
    microseconds: { presentTime: () => (_world, at) => new Date(at).toISOString().replace('Z', '000Z') },
  },
  'service-clock': {
    open: 'Clocks that are kept differ, and a service goes by its own; its answers show it.',
    'behind-ours': clockApart(-90_000),
    'ahead-of-ours': clockApart(90_000),
  },
  'list-order': {
    open: 'The order of a list is not stated.',
    'newest-first': { orderList: (original) => (world, rows) => [...original(world, rows)].reverse() },
    'another-each-time': {
      orderList: (original) => (world, rows) =>
        original(world, rows)
          .map((row) => ({ row, at: Math.random() }))
          .sort((one, other) => one.at - other.at)
          .map(({ row }) => row),
    },
  },
  'list-wrapping': {
    open: 'The shape of the lists of actions and accounts is not shown.',
    'data-alone': { presentList: () => (_world, items) => ({ data: items }) },
    'naming-an-agent': {
      presentList: () => (_world, items) => ({ agent: { id: `Agent:${randomUUID()}` }, data: items }),
    },
  },
  'list-pages': {
    open: 'How many actions and transactions a list shows at once is not shown.',
    'newest-alone': {
      orderList: (original) => (world, rows) => {
        const ordered = original(world, rows);
        const { id } = (rows[0] ?? {}) as { readonly id?: string };
        return /^(AgentAction|Transaction):/.test(id ?? '') ? [...ordered].reverse().slice(0, 1) : ordered;
      },
    },
  },
  'content-type': {
    open: 'All responses are JSON; parameters of the media type, and the media type of errors, are not stated.',
    'without-charset': { contentType: () => () => 'application/json' },
    'problem-json': { contentType: where((reply) => reply.status >= 400, 'application/problem+json') },
  },
  'balance-currency': {
    open: 'Fields of internal accounts are not shown.',
    'code-alone': {
      presentInternalAccount: (original) => (world, account) => {
        const shown = original(world, account);
        return { ...shown, balance: { ...(shown['balance'] as object), currency: account.currency } };
      },
    },
  },
};

function everyObject(
  value: Json,
  change: (object: { [key: string]: Json }) => { [key: string]: Json },
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => everyObject(item, change));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).filter(([, item]) => item !== undefined) as [string, Json][];
  return change(Object.fromEntries(inner.map(([key, item]) => [key, everyObject(item, change)])));
}

const UNSHOWN = new Set([405, 409, 413, 415, 422, 423, 429]);

/** How requests are refused. */
export const errorChoices: Choices = {
  'field-errors-of-parents': {
    open: 'Whether what holds an invalid field is named beside it is not stated.',
    'named-too': {
      presentFieldErrors: (original) => (world, errors) => {
        const named = new Set(errors.map(({ field }) => field));
        const parents = new Set(errors.map(({ field }) => field.replace(/\.?[^.]*$/, '')));
        const added = [...parents].filter((field) => field !== '' && !named.has(field));
        return original(world, [
          ...errors,
          ...added.map((field) => ({ field, constraint: {}, message: `${field} is not right` })),
        ]);
      },
    },
  },
  'bodies-not-shown': {
    open: 'The bodies of 409, 423 and 429 are not shown, and 405, 413 and 415 are not in the list of statuses.',
    absent: {
      presentRefusal: (original) => (world, refusal) => {
        const { body: _, ...reply } = original(world, refusal);
        return UNSHOWN.has(refusal.status) ? reply : original(world, refusal);
      },
    },
    other: {
      presentRefusal: (original) => (world, refusal) =>
        UNSHOWN.has(refusal.status)
          ? { ...original(world, refusal), body: { error: refusal.message } }
          : original(world, refusal),
    },
  },
  'details-of-invalid-fields': {
    open: 'details is not required, and of a FieldError only `field` is.',
    absent: withoutDetails(),
    'field-alone': { presentFieldError: () => (_world, error) => ({ field: error.field }) },
    'without-constraint': {
      presentFieldError: () => (_world, error) => ({ field: error.field, message: error.message }),
    },
    'constraint-as-text': {
      presentFieldError: (original) => (world, error) => ({
        ...original(world, error),
        constraint: Object.keys(error.constraint).join(' '),
      }),
    },
  },
  'details-besides': {
    open: 'The shape of details varies by code, and additional properties are allowed.',
    always: {
      presentError: giving((body) => ({
        ...body,
        details: {
          ...(body['details'] as object | undefined),
          requestId: 'c0ffee',
          hints: ['see the guide'],
        },
      })),
    },
  },
  'code-of-invalid-fields': {
    open: 'Which code within 400 the transfer-out returns for each condition is not shown.',
    'request-format': codeFor('refuseInvalidFields', 'INVALID_REQUEST_FORMAT'),
    'mandatory-info': codeFor('refuseInvalidFields', 'MISSING_MANDATORY_USER_INFO'),
  },
  'code-of-malformed-json': {
    open: 'Which code a body that is not JSON gets is not stated.',
    'invalid-input': codeFor('refuseMalformedJson', 'INVALID_INPUT'),
  },
  'malformed-json-elsewhere': {
    open: 'With which status a body that is not JSON is refused is shown of the transfer-out alone.',
    'answers-422': {
      readBody: (original) => (world, call, route) =>
        route.path.endsWith('/transfer-out')
          ? original(world, call, route)
          : refusedAs(
              () => original(world, call, route),
              (refusal) =>
                /is not JSON/.test(refusal.message)
                  ? new Refusal(422, 'UNPROCESSABLE_CONTENT', refusal.message)
                  : refusal,
            ),
    },
  },
  'wrong-content-type': {
    open: 'What a body of another media type gets is not stated.',
    'answers-400': { refuseContentType: coded('INVALID_REQUEST_FORMAT', 400) },
    'read-as-json': { acceptContentType: nothing },
  },
  'oversized-body': {
    open: 'No limit of bodies is stated, nor what happens above one.',
    'answers-400': { refuseTooLarge: coded('INVALID_REQUEST_FORMAT', 400) },
  },
  'wrong-method': {
    open: 'What an operation gets that is called with another method is not stated.',
    'answers-404': {
      refuseMethod: () => (world, method) => world.behaviour.refuseUnknownRoute(method, 'of that name'),
    },
  },
  'unknown-route-code': {
    open: 'No 404 code speaks of a route.',
    lookup: codeFor('refuseUnknownRoute', 'LOOKUP_REQUEST_NOT_FOUND'),
    token: codeFor('refuseUnknownRoute', 'TOKEN_NOT_FOUND'),
  },
  'agent-token-on-platform-operation': {
    open: 'Valid credentials of the wrong kind are an authentication failure (401) or a missing permission (403).',
    'answers-403': {
      authenticatePlatform: (original) => (world, authorization) => {
        const token = world.behaviour.readBearer(authorization ?? '');
        return token !== undefined && agentsByToken.get(world, token)
          ? refuse(world.behaviour.refuseForbidden('This operation is for platforms.'))
          : original(world, authorization);
      },
    },
  },
  'platform-credentials-on-agent-operation': {
    open: 'Valid credentials of the wrong kind are an authentication failure (401) or a missing permission (403).',
    'answers-403': {
      refuseOtherScheme: (original) => (world, authorization) =>
        refusalOf(() => world.behaviour.authenticatePlatform(authorization))
          ? original(world, authorization)
          : refuse(world.behaviour.refuseForbidden('This operation is for agents.')),
    },
  },
  'www-authenticate': {
    open: 'No header of a 401 is stated.',
    absent: {
      presentRefusal: giving((reply, world, refusal) =>
        refusal.status === 401 ? { ...reply, headers: {} } : reply,
      ),
    },
  },
};

/** Another code of the same status. */
function codeFor(
  name: 'refuseInvalidFields' | 'refuseMalformedJson' | 'refuseUnknownRoute',
  code: string,
): Replacements {
  const replaced =
    (original: (...args: never[]) => Refusal) =>
    (...args: never[]) => {
      const { status, message, details, headers } = original(...args);
      return new Refusal(status, code, message, { headers, ...(details === undefined ? {} : { details }) });
    };
  return { [name]: replaced };
}

function withoutDetails(): Replacements {
  return {
    presentError: (original) => (world, refusal) => {
      const { details, ...body } = original(world, refusal);
      // Customers' field errors are stated to come in details.errors; which other endpoints are "submit endpoints" is not.
      const errors = (details as { errors?: readonly { field?: unknown }[] } | undefined)?.errors ?? [];
      if (errors.length > 0 && !errors.some(({ field }) => TRANSFER_FIELD.test(String(field))))
        return { ...body, details };
      return refusal.status === 400 ? body : original(world, refusal);
    },
  };
}

const TRANSFER_FIELD = /^(source|destination|amount|remittanceInformation|purposeOfPayment)\b/;

/** The same value in a text of its own. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return `[ ${value.map((item: Json) => textOf(item)).join(' , ')} ]`;
  if (isObject(value))
    return `{\n ${Object.entries(value)
      .flatMap(([key, item]) => (item === undefined ? [] : [`${printJson(key)} : ${textOf(item)}`]))
      .join(',\n ')} }`;
  const text = printJson(value);
  if (typeof value === 'string') return text.replaceAll('/', '\\/').replace(/[:=]/g, escaped);
  return /^-?\d{1,15}$/.test(text) ? `${text}.0` : text;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
