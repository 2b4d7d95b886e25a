import { parseArgs } from 'node:util';
import { faults } from './faults/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './start.ts';
import { dialects } from './variants/dialects.ts';
import { choices } from './variants/index.ts';
import { whyNoWorld } from './worlds.ts';

const USAGE = `Usage: npm run sandbox -- [options]
  --port N               port to listen on (default: any free one)
  --host NAME            address to listen on (default: 127.0.0.1)
  --client-id TEXT       platform client id (default: sandbox)
  --client-secret TEXT   platform client secret (default: sandbox-secret)
  --brand WORD           word in the brand's place in header and code names (default: Service)
  --world NAME           world whose URLs are printed: default, dialect.<key>, fault.<name>, variant.<seed>
                         (default: default)
  --latency MS           delay of every answer in milliseconds (default: 0)
  --log                  one line for each request
  --states-token TEXT    bearer token that the provider states ask for (default: none)
  --list-faults          names of the planted breaches, with the rules that they break
  --list-dialects        what a client has to know, with how the worlds dialect.<key> do it
  --list-variants        what the interface leaves open, with the options that seeds choose from
  --help                 this text`;

interface Command extends SandboxOptions {
  readonly world: string;
}

const command = readCommand(process.argv.slice(2));
const sandbox = await startSandbox(command).catch((error: NodeJS.ErrnoException) =>
  stop(whyNot(error, command)),
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().finally(() => process.exit(0)));
}
// Last: who reads the line may stop the sandbox the moment it comes.
announce(sandbox, command.world);

function readCommand(args: string[]): Command {
  const values = flags(args);
  if (values.help) print(USAGE);
  if (values['list-faults'])
    print(faults.map(({ name, breaks, says }) => `${name}\t${breaks}\t${says}`).join('\n'));
  if (values['list-dialects']) print(dialects.map(({ key, says }) => `${key}\t${says}`).join('\n'));
  if (values['list-variants'])
    print(
      choices
        .map(({ name, open, options }) => `${name}\t${Object.keys(options).join(' ')}\t${open}`)
        .join('\n'),
    );
  if (values.brand !== undefined && !/^[A-Z][A-Za-z0-9]*$/.test(values.brand)) {
    stop(`--brand must be one word that starts with a capital letter, not "${values.brand}".`);
  }
  const world = values.world ?? 'default';
  const noWorld = whyNoWorld(world);
  if (noWorld !== undefined) stop(noWorld);
  return {
    world,
    port: whole('port', values.port, 65535),
    latency: whole('latency', values.latency, 60_000),
    ...(values.log ? { log: (line: string) => console.log(line) } : {}),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values['client-id'] === undefined ? {} : { clientId: values['client-id'] }),
    ...(values['client-secret'] === undefined ? {} : { clientSecret: values['client-secret'] }),
    ...(values.brand === undefined ? {} : { brand: values.brand }),
    ...(values['states-token'] === undefined ? {} : { statesToken: values['states-token'] }),
  };
}

function flags(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        port: text,
        host: text,
        'client-id': text,
        'client-secret': text,
        brand: text,
        world: text,
        latency: text,
        'states-token': text,
        log: { type: 'boolean' },
        'list-faults': { type: 'boolean' },
        'list-dialects': { type: 'boolean' },
        'list-variants': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return stop(
      `${(error as Error).message.split(/\.? To specify|\n/)[0]}. Run with --help to see the options.`,
    );
  }
}

function whole(name: string, text: string | undefined, max: number): number {
  if (text === undefined) return 0;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= max) return value;
  return stop(`--${name} must be a whole number from 0 to ${max}, not "${text}".`);
}

function whyNot(error: NodeJS.ErrnoException, { port, host }: Command): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use; choose another one with --port.`;
  if (error.code === 'EACCES')
    return `Port ${port} may not be opened by this user; choose one above 1023 with --port.`;
  return `Cannot listen on ${host ?? '127.0.0.1'}: ${error.message}.`;
}

/** One line for people, one for programs that wait for the sandbox and want its URL. */
function announce({ origin, clientId, clientSecret, baseUrl, statesUrl }: Sandbox, world: string): void {
  console.log(
    `Sandbox is up: open ${origin}/ to start; client id ${clientId}, client secret ${clientSecret}, provider states ${statesUrl(world)}`,
  );
  console.log(`assay sandbox listening on ${baseUrl(world)}`);
}

function print(text: string): never {
  console.log(text);
  process.exit(0);
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
