import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export async function serveWalletPage(): Promise<WalletPage> {
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
