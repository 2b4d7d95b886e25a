import '../target/refuse-old-node.ts';
import { parseArgs } from 'node:util';
import { HttpClient } from '../client/http/http-client.ts';
import { Secrets } from '../client/secrets/secrets.ts';
import { ProviderStates } from '../target/providers/provider-states.ts';
import { checkedStatesUrl } from '../target/environment-variables.ts';
import { MEASURED, isWithin } from '../target/states/measured.ts';
import { declared, refuseHarm } from '../target/safety.ts';
import { UsageError } from '../target/usage-error.ts';
import { command } from './command.ts';
import { servesAsTried } from './plan.ts';
import { checkStates, servedParts, type Tried } from './states-check.ts';

const USAGE = `Usage: npm run states:check -- URL
Tries every state that a provider-states URL serves, with every param, and says what is wrong with it.
The token is taken from PROVIDER_STATES_TOKEN. For an address of another machine, set ENVIRONMENT=sandbox.
  --help   this text
Exit codes: 0 all that is served is right, 1 something is wrong, 2 it could not be tried.`;

await command(USAGE, async (print) => {
  const { positionals } = parse();
  const url = checkedStatesUrl(positionals[0] ?? process.env['PROVIDER_STATES_URL']);
  if (url === undefined)
    throw new UsageError('No address is given: npm run states:check -- http://host/provider-states');
  refuseHarm(declared(process.env, {}, { baseUrl: url, statesUrl: url, clientId: '' }));
  const http = new HttpClient({ timeoutMs: 15_000 });
  const token = process.env['PROVIDER_STATES_TOKEN'];
  const provider = new ProviderStates(http, url, token);
  const secrets = new Secrets();
  secrets.add(token);
  try {
    const obstacle = await provider.obstacle();
    if (obstacle !== undefined) throw new UsageError(`${url} cannot be used: ${obstacle}.`);
    const tried = await checkStates(provider, (one) => print(secrets.mask(line(one))));
    print(summary(tried));
    return tried.some((one) => one.outcome === 'wrong') ? 1 : 0;
  } finally {
    await http.close();
  }
});

function parse() {
  return parseArgs({ allowPositionals: true });
}

function line({ state, params, outcome, text }: Tried): string {
  const asked = Object.keys(params).length === 0 ? '' : ` ${JSON.stringify(params)}`;
  const mark = { served: 'ok     ', 'not served': 'absent ', wrong: 'WRONG  ' }[outcome];
  return `${mark}${state}${asked}${text === undefined ? '' : `: ${text}`}`;
}

function summary(tried: readonly Tried[]): string {
  const serves = servesAsTried(servedParts(tried));
  const rules = Object.keys(MEASURED.rules);
  const shown = rules.filter((rule) => isWithin(rule, serves));
  const count = (outcome: Tried['outcome']) => tried.filter((one) => one.outcome === outcome).length;
  return `\n${count('served')} right, ${count('wrong')} wrong, ${count('not served')} not served. With these states ${shown.length} of ${rules.length} rules can be verified.`;
}
