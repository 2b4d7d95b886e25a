import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { answerOf, bytesServer } from '../support/bytes-server.ts';
import { scratch } from '../support/run-assay.ts';
import { CREDENTIALS, refuses } from './refuses.ts';

const BASE_URL = 'http://127.0.0.1:9/2025-10-13';

test('no client secret', () =>
  refuses(
    { BASE_URL, CLIENT_ID: 'some-id' },
    "CLIENT_SECRET is not set: BASE_URL needs the platform's client id and client secret.",
  ));

test('credentials that the target refuses', async () => {
  const body = '{"status":401,"code":"UNAUTHORIZED","message":"no"}';
  await using server = await bytesServer((socket) =>
    socket.end(answerOf(body, 'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json')),
  );
  await refuses(
    { ...CREDENTIALS, BASE_URL: `${server.url}/2025-10-13` },
    'The target refuses CLIENT_ID and CLIENT_SECRET (401): check that they belong to this BASE_URL.',
  );
});

test('a number that is none', () =>
  refuses({ WORKERS: 'many' }, 'WORKERS must be a whole number, 1 or more, not "many".'));

test('nobody answers at PROVIDER_STATES_URL', () =>
  refuses(
    { PROVIDER_STATES_URL: 'http://127.0.0.1:9/states' },
    'PROVIDER_STATES_URL http://127.0.0.1:9/states cannot be used: nothing listens there (connection refused).',
  ));

test('PROVIDER_STATES_URL refuses the token', async () => {
  await using server = await bytesServer((socket) => socket.end(answerOf('{}', 'HTTP/1.1 401 Unauthorized')));
  await refuses(
    { PROVIDER_STATES_URL: server.url },
    /cannot be used: it answers 401, check PROVIDER_STATES_TOKEN\.$/,
  );
});

/** One file of each kind; tests/target/read-settings.test.ts has every mistake that can be made in them. */
const FILES: readonly (readonly [what: string, variable: string, text: string, sentence: RegExp])[] = [
  [
    'a profile with a typo',
    'PROFILE',
    'capabilites: [agents]',
    /has an unknown key capabilites; did you mean capabilities\?$/,
  ],
  [
    'a profile with an unknown capability',
    'PROFILE',
    'capabilities: [agent]',
    /unknown capability agent; did you mean agents\?$/,
  ],
  [
    'known failures with an unknown rule',
    'KNOWN_FAILURES',
    '- { rule: TRANSFER-ACCEPTD, reason: x }',
    /did you mean TRANSFER-ACCEPTED\?$/,
  ],
  ['a fixtures file without states', 'FIXTURES', 'agent: {}', /must hold states: /],
];

for (const [what, variable, text, sentence] of FILES)
  test(what, () => refuses({ BASE_URL, ...CREDENTIALS, [variable]: fileWith(text) }, sentence));

test('a profile that is not there', () =>
  refuses(
    { PROFILE: 'no/such.yaml' },
    'The profile no/such.yaml cannot be read: check the path in PROFILE.',
  ));

function fileWith(text: string): string {
  const file = join(scratch('bad-input'), 'file.yaml');
  writeFileSync(file, text);
  return file;
}
