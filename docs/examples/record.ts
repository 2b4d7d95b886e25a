import { startSandbox } from '../../sandbox/start.ts';
import { loadContract } from '../../schemas/contract.ts';
import { recordAgents } from './agents.ts';
import { recordEvents } from './events.ts';
import { recordPlatforms } from './platforms.ts';
import { recordQuotes } from './quotes.ts';
import { Recorder, type OperationExamples } from './recorder.ts';
import { settled } from './settled.ts';
import { recordWallets } from './wallets.ts';

/**
 * Walks every operation of the contract on a sandbox of its own. Every example is a real request, and what the sandbox answered to
 * it; sealed and signed texts differ each time.
 *
 * @throws Error when the sandbox refuses a call
 */
export async function recordExamples(): Promise<Readonly<Record<string, OperationExamples>>> {
  const began = Date.now();
  const sandbox = await startSandbox();
  try {
    const recorder = new Recorder(sandbox, await loadContract('Service'));
    await recordAgents(recorder);
    await recordWallets(recorder);
    await recordQuotes(recorder);
    await recordPlatforms(recorder);
    await recordEvents(recorder);
    return settled(recorder.examples, began);
  } finally {
    await sandbox.close();
  }
}
