import { test as base } from '@playwright/test';
import { startSandbox } from '../../../sandbox/start.ts';
import { Caller } from './caller.ts';

export { expect } from '@playwright/test';

/** A test with a sandbox that its worker shares; every test makes its own records. */
export const test = base.extend<object, { caller: Caller }>({
  caller: [
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(new Caller(sandbox));
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
});
