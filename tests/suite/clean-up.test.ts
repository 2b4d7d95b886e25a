import { expect, test } from '@playwright/test';
import type { Platform } from '../../suite/api/platform.ts';
import { cleanUp } from '../../suite/clean-up.ts';
import { LeftBehind } from '../../suite/left-behind.ts';
import { profileOf } from '../doctor/profile-of.ts';

const id = (type: string) => `${type}:01234567-89ab-4def-8123-000000000001`;

test('agents are removed by their documented call, and the rest where the profile says how', async () => {
  const left = new LeftBehind();
  for (const type of ['Customer', 'ExternalAccount', 'Agent'])
    left.note({
      at: 0,
      milliseconds: 1,
      request: { method: 'POST', url: 'http://localhost/x', headers: {} },
      response: { status: 201, headers: {}, text: JSON.stringify({ id: id(type) }) },
    });
  const called: unknown[] = [];
  const platform = {
    call: (operation: { path: string }) => {
      called.push(operation);
      return Promise.resolve({ accepted: !operation.path.includes('Customer') });
    },
  } as unknown as Platform;
  const { cleanUp: usual } = profileOf('http://localhost/2025-10-13', 'public-calls');
  await cleanUp(platform, left, { ...usual, Customer: 'POST /customers/{id}/close' });
  expect(called).toEqual([
    { method: 'DELETE', path: `/agents/${id('Agent')}` },
    { method: 'POST', path: `/customers/${id('Customer')}/close` },
  ]);
  // What was refused is still there, and what nobody can remove.
  expect(left.ids).toEqual([id('ExternalAccount'), id('Customer')]);
});
