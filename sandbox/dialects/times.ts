import type { Dialect } from './dialect.ts';

/** Longer than known deployments take, in milliseconds. */
const EFFECT_MS = 12_000;
const EVENT_MS = 7_000;

/** Other times: nothing is wrong with a slow service. */
export const timeDialects: readonly Dialect[] = [
  {
    key: 'effectSeconds',
    says: 'an approved action begins to be executed twelve seconds later',
    replace: {
      whenExecutionBegins: () => (_world, begin) => void setTimeout(begin, EFFECT_MS).unref(),
      whenExecutionEnds: () => (_world, end) => void setTimeout(end, EFFECT_MS).unref(),
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
