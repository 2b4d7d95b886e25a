import { KeyPair } from '../client/crypto/index.ts';
import { loadContract } from '../schemas/contract.ts';
import { Validator } from '../schemas/validator.ts';

/**
 * The same kinds of work as a worker's, always as much of them: loading the contract, compiling and applying its schemas,
 * keys and signatures, records written and read. Prints what it took in milliseconds: by the clock, and of processors.
 */
const ROUNDS = 120;
const contract = await loadContract('Service');
const validator = new Validator();
const operations = [...contract.operations.values()];
for (let round = 0; round < ROUNDS; round += 1) {
  const bytes = new TextEncoder().encode(JSON.stringify(operations[round % operations.length]));
  KeyPair.generate().sign(bytes);
  for (const { answers } of operations)
    for (const { schema } of answers.values()) if (schema) validator.judge(schema, { id: round });
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ wallMs: performance.now(), cpuMs: (user + system) / 1_000 }));
