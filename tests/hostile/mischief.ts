import type { Forwarded, Mischief, Passing } from './proxy.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** After so many requests a target is in the middle of its run: preflight is over, and tests have begun. */
export const MIDDLE = 40;

/** A whole answer. */
export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string> = JSON_TYPE,
): Forwarded {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return { status, headers, body: Buffer.from(text) };
}

/** An error in the interface's own form. */
export const errorOf = (status: number, code: string): Forwarded =>
  answer(status, { status, code, message: 'no' });

export const page = (status: number): Forwarded =>
  answer(status, '<html><body>not today</body></html>', { 'content-type': 'text/html' });

/** Does it to each n-th request after preflight. */
export const each =
  (n: number, mischief: Mischief, after = MIDDLE / 2): Mischief =>
  (passing) =>
    passing.number > after && passing.number % n === 0 ? mischief(passing) : true;

/** Does it to every request from the middle of the run on. */
export const fromTheMiddle =
  (mischief: Mischief, middle = MIDDLE): Mischief =>
  (passing) =>
    passing.number > middle ? mischief(passing) : true;

export const always =
  (what: Forwarded): Mischief =>
  () =>
    what;

/** Does it, and counts. */
export function counted(mischief: Mischief): { readonly mischief: Mischief; readonly times: () => number } {
  let times = 0;
  return {
    mischief: (passing) => {
      times += 1;
      return mischief(passing);
    },
    times: () => times,
  };
}

/** Closes the connection before an answer. */
export const reset: Mischief = ({ socket }) => void socket.destroy();
/** Does what was asked, and closes the connection before it says so. */
export const resetAfterwards: Mischief = async ({ forward, socket }) => {
  await forward();
  socket.destroy();
};
/** Never answers. */
export const hang: Mischief = () => undefined;

/** Writes exact bytes in place of an answer. */
export const bytes =
  (text: string | Buffer, end = true): Mischief =>
  ({ socket }) => {
    socket.write(text);
    if (end) socket.end();
  };

/** Writes a piece again and again until the other side has enough. */
export const forever =
  (head: string, piece: string | Buffer, pauseMs: number): Mischief =>
  ({ socket }) => {
    socket.write(head);
    const more = () => {
      if (socket.destroyed) return;
      const room = socket.write(piece);
      if (room) setTimeout(more, pauseMs);
      else socket.once('drain', () => setTimeout(more, pauseMs));
    };
    more();
  };

/** Changes the right answer. */
export const changed =
  (change: (right: Forwarded, passing: Passing) => Forwarded): Mischief =>
  async (passing) =>
    change(await passing.forward(), passing);

/** Changes the text of right answers that are JSON objects. */
export const rewritten = (change: (text: string) => string | Buffer): Mischief =>
  changed((right) => {
    const text = right.body.toString('utf8');
    if (!text.startsWith('{')) return right;
    const { 'content-length': _length, ...headers } = right.headers;
    void _length;
    return { ...right, headers, body: Buffer.from(change(text)) };
  });
