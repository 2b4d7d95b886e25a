import type { Answer } from '../answer.ts';

/** Whether a call came back with a 2xx. Unlike `answer.accepted` it counts as no look at the answer, and never throws. */
export function succeeded({ exchange }: Answer): boolean {
  const status = exchange.response?.status ?? 0;
  return status >= 200 && status < 300;
}
