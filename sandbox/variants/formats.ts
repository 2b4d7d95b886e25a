import { randomBytes, randomUUID } from 'node:crypto';
import { isObject, type Json } from '../core/json.ts';
import type { Choice } from './choice.ts';

/** How answers are written. */
export const formatChoices: readonly Choice[] = [
  {
    name: 'unknown-fields',
    open: 'Nothing says that an answer has only the fields of the tables; what is new in a version is added to them.',
    options: {
      'in-every-object': {
        finishReply: (original) => (world, reply) => {
          const done = original(world, reply);
          return done.body === undefined
            ? done
            : { ...done, body: everyObject(done.body, (object) => ({ ...object, xFuture: { note: null } })) };
        },
      },
    },
  },
  {
    name: 'field-order',
    open: 'The members of a JSON object have no order.',
    options: {
      reversed: {
        finishReply: (original) => (world, reply) => {
          const done = original(world, reply);
          const reversed = (object: { [key: string]: Json }) =>
            Object.fromEntries<Json>(Object.entries(object).reverse());
          return done.body === undefined ? done : { ...done, body: everyObject(done.body, reversed) };
        },
      },
    },
  },
  {
    name: 'uuids',
    open: 'Ids are <ResourceType>:<uuid>; neither the version nor the case of the uuid is stated.',
    options: {
      'upper-case': { newUuid: () => () => randomUUID().toUpperCase() },
      'without-version': {
        newUuid: () => () =>
          randomBytes(16)
            .toString('hex')
            .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      },
    },
  },
  {
    name: 'timestamps',
    open: 'Timestamps are ISO 8601 UTC strings; fractions and the way to write UTC are not stated.',
    options: {
      'zero-offset': { presentTime: () => (_world, at) => new Date(at).toISOString().replace('Z', '+00:00') },
      'whole-seconds': { presentTime: () => (_world, at) => new Date(at).toISOString().replace(/\.\d+/, '') },
      microseconds: { presentTime: () => (_world, at) => new Date(at).toISOString().replace('Z', '000Z') },
    },
  },
  {
    name: 'list-order',
    open: 'The order of a list is not stated.',
    options: {
      'newest-first': { orderList: (original) => (world, rows) => [...original(world, rows)].reverse() },
    },
  },
  {
    name: 'list-wrapping',
    open: 'The shape of the lists of actions and accounts is not shown.',
    options: { 'data-alone': { presentList: () => (_world, items) => ({ data: items }) } },
  },
  {
    name: 'content-type',
    open: 'All responses are JSON; parameters of the media type, and the media type of errors, are not stated.',
    options: {
      'without-charset': { contentType: () => () => 'application/json' },
      'problem-json': {
        contentType: (original) => (world, reply) =>
          reply.status >= 400 ? 'application/problem+json' : original(world, reply),
      },
    },
  },
  {
    name: 'balance-currency',
    open: 'Fields of internal accounts are not shown.',
    options: {
      'code-alone': {
        presentInternalAccount: (original) => (world, account) => {
          const shown = original(world, account);
          return { ...shown, balance: { ...(shown['balance'] as object), currency: account.currency } };
        },
      },
    },
  },
];

function everyObject(
  value: Json,
  change: (object: { [key: string]: Json }) => { [key: string]: Json },
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => everyObject(item, change));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).filter(([, item]) => item !== undefined) as [string, Json][];
  return change(Object.fromEntries(inner.map(([key, item]) => [key, everyObject(item, change)])));
}
