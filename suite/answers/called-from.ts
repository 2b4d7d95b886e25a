import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SPECS = /((?:file:\/\/)?[^\s()]*[\\/]specs[\\/][^\s():]+\.ts):(\d+)/g;
/** Deep enough for a spec that calls through its helpers. */
const FRAMES = 30;

/**
 * Remembers who is calling, cheaply: the stack is written out only when somebody asks.
 *
 * @returns asks: the line of the flow, such as `specs/agents/approval.spec.ts:31`; a helper's line where no flow is on
 *   the stack, undefined where no spec is
 */
export function calledFrom(): () => string | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, calledFrom);
  Error.stackTraceLimit = before;
  return () => {
    const found = [...(trace.stack ?? '').matchAll(SPECS)].map(([, file = '', line = '']) => ({
      file,
      line,
    }));
    const best = found.find(({ file }) => file.endsWith('.spec.ts')) ?? found[0];
    return best && `${shown(best.file)}:${best.line}`;
  };
}

function shown(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return relative(process.cwd(), path).replaceAll('\\', '/');
}
