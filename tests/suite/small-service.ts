import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listening } from '../support/servers.ts';
import { root, runAssay, scratch, type Outcome } from '../support/run-assay.ts';

const UUID = '01234567-89ab-4def-8123-456789abcdef';
const TIME = '2026-01-02T03:04:05Z';
const TOKEN = 'agent-token-that-nobody-may-read';
const CLIENT = {
  id: 'small-client',
  secret: 'client-secret-that-nobody-may-read',
  statesToken: 'states-token-that-nobody-may-read',
};

/** A legal answer of transfer-out. */
export const ACTION = {
  id: `AgentAction:${UUID}`,
  agentId: `Agent:${UUID}`,
  customerId: `Customer:${UUID}`,
  platformCustomerId: 'p',
  status: 'APPROVED',
  type: 'TRANSFER_OUT',
  transferDetails: {
    amount: 1000,
    currency: 'USD',
    sourceAccountId: `InternalAccount:${UUID}`,
    destinationAccountId: `ExternalAccount:${UUID}`,
  },
  transaction: { type: 'OUTGOING' },
  createdAt: TIME,
  updatedAt: TIME,
} as const;

/** The state `agent`, without its token. */
export const AGENT = {
  agentId: ACTION.agentId,
  customerId: ACTION.customerId,
  sourceAccountId: ACTION.transferDetails.sourceAccountId,
  destinationAccountId: ACTION.transferDetails.destinationAccountId,
  currency: ACTION.transferDetails.currency,
};

export interface Heard {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: { readonly amount?: number; readonly remittanceInformation?: string };
}

/** Answers a transfer-out; the remittance text of the request says what the test wants. */
export type TransferOut = (heard: Heard) => void;

export interface SmallService extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Just enough of a service for fixture specs: it prepares the state `agent`, and its transfer-out behaves as told.
 */
export async function smallService(transferOut: TransferOut): Promise<SmallService> {
  return serving((request, response, text) => route(request, response, text, transferOut), CLIENT);
}

/** A service that prepares states, with what a run must know of it. */
export async function serving(
  answer: Parameters<typeof listening>[0],
  { id, secret, statesToken }: { readonly id: string; readonly secret: string; readonly statesToken: string },
): Promise<SmallService> {
  const server = await listening(answer);
  return {
    env: {
      BASE_URL: `${server.origin}/2025-10-13`,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      PROVIDER_STATES_URL: `${server.origin}/states`,
      PROVIDER_STATES_TOKEN: statesToken,
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  transferOut: TransferOut,
): void {
  const { url = '', headers } = request;
  if (url.startsWith('/states')) return states(response, JSON.parse(text || '{}') as { state: string });
  if (url.endsWith('/customers/end-user-terms')) return send(response, 200, { version: '1' });
  if (!url.endsWith('/agents/me/transfer-out')) return refuse(response, 404, 'QUOTE_NOT_FOUND');
  if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(response, 401, 'UNAUTHORIZED');
  transferOut({ request, response, body: JSON.parse(text) as Heard['body'] });
}

function states(response: ServerResponse, { state }: { state: string }): void {
  if (state !== 'agent') return send(response, 404, { message: 'no such state here' });
  send(response, 200, { ...AGENT, accessToken: TOKEN });
}

/** Answers with the error body. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  send(response, status, { status, code, message: 'Refused.' });
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/**
 * Runs small fixture specs with the real suite, configuration and reporters, in a process of their own.
 *
 * @param source TypeScript of the spec, without its import
 * @param more settings of Playwright, in TypeScript, with the reporters that are to write too; `folder` is for their files
 */
export async function runSpecs(
  source: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  { settings, reporters } = { settings: '', reporters: '' },
): Promise<Outcome> {
  const folder = scratch('specs');
  const from = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    join(folder, 'fixture.spec.ts'),
    `import { test, expect, verifies, explore } from ${from('suite/index.ts')};\nimport fc from 'fast-check';\n${source}`,
  );
  writeFileSync(
    join(folder, 'playwright.config.ts'),
    `import base from ${from('playwright.config.ts')};
     const folder = process.env.REPORT_DIR;
     export default {
       ...base, testDir: '.', globalSetup: ${from('global-setup.ts')}, projects: undefined, ${settings}
       reporter: [
         ['list', { printSteps: true }],
         [${from('reports/allure.ts')}, { resultsDir: folder + '/allure-results' }],
         [${from('reports/reporter.ts')}],
         ${reporters}
       ],
     };`,
  );
  return runAssay(env, ['--config', folder, ...args]);
}
