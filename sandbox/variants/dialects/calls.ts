import type { Dialect } from '../choice.ts';

/** Paths of operations that the interface does not give, as they are served here. */
const PATHS: readonly (readonly [here: RegExp, usual: string])[] = [
  [/^\/orders\/([^/]+)$/, '/quotes/$1'],
  [/^\/orders\/([^/]+)\/run$/, '/quotes/$1/execute'],
  [/^\/agents\/me\/history\/([^/]+)$/, '/agents/me/actions/$1'],
  [/^\/wallet-sessions$/, '/auth/sessions'],
  [/^\/payments\/([^/]+)$/, '/transactions/$1'],
  [/^\/beneficiaries\/([^/]+)$/, '/customers/external-accounts/$1'],
  [/^\/people\/([^/]+)$/, '/customers/$1'],
];
/** The usual places, where nothing is found here. */
const LEFT: readonly RegExp[] = [
  /^\/quotes\/[^/]+$/,
  /^\/quotes\/[^/]+\/execute$/,
  /^\/agents\/me\/actions\/[^/]+$/,
  /^\/auth\/sessions$/,
  /^\/transactions\/[^/]+$/,
  /^\/customers\/external-accounts\/[^/]+$/,
];
/** Fields that bodies must hold here. */
const FIELDS: Readonly<Record<string, string>> = {
  'POST /quotes': 'reference',
  'POST /agents': 'role',
  'POST /customers': 'region',
};
/** Name of the field that holds the code of a text message. */
const PROOF_FIELD = 'otp';
const PROOF_CODE = '654321';

/** Other ways to call. */
export const callDialects: readonly Dialect[] = [
  {
    key: 'agentToken',
    says: "agents' tokens travel in a header of their own",
    replace: {
      identifyCaller: (original) => (world, call, route) => {
        const { authorization = '', ...others } = call.headers;
        const token = call.headers['x-acme-agent'];
        const shown = token === undefined ? authorization.replace(/^Bearer .*$/i, '') : `Bearer ${token}`;
        const headers = shown === '' ? others : { ...others, authorization: shown };
        return original(world, { ...call, headers }, route);
      },
    },
  },
  {
    key: 'scaProof',
    says: 'the code of a text message is another one, under another name, and no state tells it',
    replace: {
      codeHolds: () => (_world, _challenge, proof) => proof[PROOF_FIELD] === PROOF_CODE,
      toldScaCode: () => () => undefined,
    },
  },
  {
    key: 'paths',
    says: 'some operations whose paths are not given have others',
    replace: {
      servedPath: () => (_world, path) => {
        const found = PATHS.find(([here]) => here.test(path));
        if (found) return path.replace(...found);
        return LEFT.some((usual) => usual.test(path)) ? '/nothing-here' : path;
      },
    },
  },
  {
    key: 'bodies',
    says: 'quotes, agents and customers are created with one more field',
    replace: {
      readBody: (original) => (world, call, route) => {
        const body = original(world, call, route);
        const field = FIELDS[`${route.method} ${route.path}`];
        if (field !== undefined && (body as Record<string, unknown>)[field] === undefined)
          throw world.rules.refuseField(field, 'is missing');
        return body;
      },
    },
  },
];

/** Longer than known deployments take, in milliseconds; an execution ends within the time that its profile tells. */
const BEGIN_MS = 11_000;
const END_MS = 6_000;
const EVENT_MS = 7_000;

/** Other times: nothing is wrong with a slow service. */
export const timeDialects: readonly Dialect[] = [
  {
    key: 'effectSeconds',
    says: 'an approved action begins to be executed eleven seconds later',
    replace: {
      whenExecutionBegins: () => (_world, begin) => void setTimeout(begin, BEGIN_MS).unref(),
      whenExecutionEnds: () => (_world, end) => void setTimeout(end, END_MS).unref(),
    },
  },
  {
    key: 'eventSeconds',
    says: 'events arrive seven seconds later',
    replace: {
      sendLater: (original) => (world, url, send) =>
        void setTimeout(() => original(world, url, send), EVENT_MS).unref(),
    },
  },
];
