import { chromium, test as base, type Browser } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { Wallets } from '../sandbox/support/mini/wallet.ts';
import { BrowserPasskeys } from './browser-passkey.ts';
import { chromiumPath } from './chromium-path.ts';
import { serveWalletPage, type WalletPage } from './wallet-page.ts';

interface Each {
  readonly wallets: Wallets;
  /** Passkeys of a page that shows the wallet page, in a browser context of their own. */
  readonly passkeys: BrowserPasskeys;
}

interface Shared {
  readonly sandbox: Sandbox;
  readonly walletPage: WalletPage;
  readonly chromiumHere: Browser;
}

/** A sandbox, a page of the integrator, and the browser that opens it. */
export const test = base.extend<Each, Shared>({
  sandbox: [
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(sandbox);
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  walletPage: [
    async ({}, use) => {
      const page = await serveWalletPage();
      await use(page);
      await page.close();
    },
    { scope: 'worker' },
  ],
  chromiumHere: [
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: chromiumPath(),
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  wallets: async ({ sandbox }, use) => {
    await use(new Wallets(sandbox, 'default'));
  },
  passkeys: async ({ chromiumHere, walletPage }, use) => {
    const context = await chromiumHere.newContext();
    const page = await context.newPage();
    await page.goto(walletPage.origin);
    await use(await BrowserPasskeys.plugInto(page));
    await context.close();
  },
});

export { expect } from '@playwright/test';
