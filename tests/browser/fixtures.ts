import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, test as base, type Browser } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';

import { BrowserPasskeys } from './browser-passkey.ts';
import { chromiumPath } from './chromium.ts';
import { Wallets } from './wallet.ts';

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
    await use(new Wallets(sandbox));
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

/** A page of the integrator on localhost, which browsers count as a secure context without TLS. */
export interface WalletPage {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

const HTML = `<!doctype html>
<meta charset="utf-8">
<title>Wallet</title>
<script>
  window.bytes = (text) => {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  };
  window.base64url = (buffer) => {
    const binary = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
</script>
`;

/** Serves the page on a free port. */
async function serveWalletPage(): Promise<WalletPage> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML);
  });
  // Both halves must agree on what localhost is: it may resolve to ::1 first.
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
