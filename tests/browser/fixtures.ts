import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from '@playwright/test';
import { test as base } from '../sandbox/support/test.ts';
import { BrowserPasskeys } from './browser-passkey.ts';
import { chromiumPath } from './chromium.ts';

interface Each {
  /** Passkeys of a page that shows the wallet page, in a browser context of their own. */
  readonly passkeys: BrowserPasskeys;
}

interface Shared {
  /** Where a page of the integrator is, which browsers count as a secure context without TLS: on localhost. */
  readonly origin: string;
  readonly chromiumHere: Browser;
}

/** A sandbox, a page of the integrator, and the browser that opens it. */
export const test = base.extend<Each, Shared>({
  origin: [
    async ({}, use) => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML);
      });
      // Both halves must agree on what localhost is: it may resolve to ::1 first.
      await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
      await use(`http://localhost:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
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
  passkeys: async ({ chromiumHere, origin }, use) => {
    const context = await chromiumHere.newContext();
    const page = await context.newPage();
    await page.goto(origin);
    await use(await BrowserPasskeys.plugInto(page));
    await context.close();
  },
});

export { expect } from '@playwright/test';

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
