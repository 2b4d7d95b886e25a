import type { Time } from '../../../suite/watch/watch.ts';

/** Time that passes only where somebody waits. */
interface FakeTime extends Time {
  /** Epoch milliseconds. */
  at: number;
}

export function fakeTime(at = 1_000_000): FakeTime {
  return {
    at,
    now() {
      return this.at;
    },
    async pause(ms) {
      this.at += ms;
    },
  };
}
