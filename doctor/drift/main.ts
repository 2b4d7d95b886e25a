import '../../target/refuse-old-node.ts';
import { parseArgs } from 'node:util';
import { UsageError } from '../../target/usage-error.ts';
import { command } from '../command.ts';
import { drift, driftLines } from './drift.ts';

const USAGE = `Usage: npm run drift -- their-openapi.yaml
Compares a service's own OpenAPI document with the contract, by operation and field, and names the rules that each
difference touches. Nothing is sent to anybody.
  --brand WORD   the word in names such as Service-Wallet-Signature (default: BRAND, or Service)
  --help         this text
Exit codes: 0 nothing that the contract states is different, 1 something is, 2 the document cannot be compared.`;

await command(USAGE, async (print) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { brand: { type: 'string' } },
  });
  const [file, more] = positionals;
  if (file === undefined || more !== undefined)
    throw new UsageError('Name one document: npm run drift -- their-openapi.yaml');
  const differences = await drift(file, values.brand ?? (process.env['BRAND'] || 'Service'));
  print(driftLines(differences));
  return differences.some((one) => one.isBreaking) ? 1 : 0;
});
