import { expect, test } from '@playwright/test';
import { firstLine } from '../../suite/first-line.ts';
import { loadProfile } from '../../target/load-profile.ts';

const EMBEDDED = {
  baseUrl: 'http://127.0.0.1:1/default/2025-10-13',
  statesUrl: 'http://127.0.0.1:1/s',
  clientId: 'a',
  clientSecret: 'b',
};
const FOREIGN = {
  BASE_URL: 'https://host/2025-10-13',
  CLIENT_ID: 'a',
  CLIENT_SECRET: 'b',
  ENVIRONMENT: 'sandbox',
};
const line = (env: Record<string, string>, name?: string) =>
  firstLine({ ...loadProfile(env, EMBEDDED), ...(name ? { name } : {}) }, 7, env['FIXTURES'] ? 1 : 2);

test('the first line says what is tested, how it is prepared, and with which seed', () => {
  expect(line({})).toBe(
    'Assay tests the embedded sandbox, prepared by its provider-states URL, seed 7, 2 workers.',
  );
  expect(line(FOREIGN)).toBe(
    'Assay tests https://host/2025-10-13, prepared by public calls, seed 7, 2 workers.',
  );
  expect(line({ ...FOREIGN, FIXTURES: 'a.yaml' }, 'Acme sandbox')).toBe(
    'Assay tests Acme sandbox at https://host/2025-10-13, prepared from a fixtures file, seed 7, 1 worker.',
  );
});
