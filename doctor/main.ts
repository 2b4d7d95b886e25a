import '../target/refuse-old-node.ts';
import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { doctor } from './doctor.ts';

const USAGE = `Usage: npm run doctor -- [options]
Holds a profile against its target before any test, and says what a run will bring and cost.
The target is named as for a run: PROFILE, BASE_URL, CLIENT_ID, CLIENT_SECRET, PROVIDER_STATES_URL, ….
  --rules   names every rule of the plan
  --try     tries the dialect without a provider-states URL, too: a few customers stay behind
  --help    this text
Exit codes: 0 a run can begin, 1 it can, and something is to be mended, 2 it cannot.`;

await command(USAGE, async (print) => {
  const { values } = parseArgs({ options: { rules: { type: 'boolean' }, try: { type: 'boolean' } } });
  return doctor(process.env, print, {
    namesRules: values.rules === true,
    ...(values.try === undefined ? {} : { tries: values.try }),
  });
});
