/** The other side of {@link ./evaluate.ts}: a process that runs scripts one after another, as each would run alone. */
import { pathToFileURL } from 'node:url';
import type { Asked, Evaluated } from './evaluate.ts';

class Exit extends Error {}

const { env, cwd } = { env: { ...process.env }, cwd: process.cwd() };
const [interpreter = ''] = process.argv;
let count = 0;
const said = { output: '', out: '', err: '' };

const textOf = (chunk: string | Uint8Array) =>
  typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
for (const [stream, name] of [
  [process.stdout, 'out'],
  [process.stderr, 'err'],
] as const)
  stream.write = (chunk: string | Uint8Array) => {
    said[name] += textOf(chunk);
    said.output += textOf(chunk);
    return true;
  };
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
};
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (asked: Asked) => void evaluate(asked).then((done) => process.send?.(done)));

async function evaluate({ script, args, env: more, folder = cwd }: Asked): Promise<Evaluated> {
  Object.assign(said, { output: '', out: '', err: '' });
  process.exitCode = undefined;
  process.argv = [interpreter, script, ...args];
  process.env = { ...env, ...more };
  process.chdir(folder);
  try {
    // A module is evaluated once for each address.
    await import(`${pathToFileURL(script).href}?${(count += 1)}`);
  } catch (error) {
    if (!(error instanceof Exit)) {
      said.output += String((error as Error).stack);
      process.exitCode = 1;
    }
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, ...said };
}
