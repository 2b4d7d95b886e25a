import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractTypes } from './contract-types.ts';

/** Writes the TypeScript types of the contract: `npm run types`, after every change of openapi.yaml. */
writeFileSync(fileURLToPath(new URL('contract.ts', import.meta.url)), await contractTypes());
