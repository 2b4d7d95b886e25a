import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { FixturesFile } from '../../../target/providers/fixtures-file.ts';
import { scratch } from '../../support/run-assay.ts';

function file(text: string): FixturesFile {
  const path = join(scratch('fixtures'), 'fixtures.yaml');
  writeFileSync(path, text);
  return new FixturesFile(path);
}

const STATES = `states:
  agent:
    - values: { agentId: plain }
    - params: { approvalThreshold: 10, currency: USD }
      values: { agentId: limited }`;

test('a state fits when its params are exactly those that are asked for, in any order', async () => {
  expect(await file(STATES).setUp('agent', {})).toEqual({ agentId: 'plain' });
  expect(await file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 10 })).toEqual({
    agentId: 'limited',
  });
});

test('anything else cannot be prepared, and the reason names it', async () => {
  await expect(file(STATES).setUp('agent', { approvalThreshold: 11 })).rejects.toThrow(
    'has no state "agent" with params {"approvalThreshold":11}',
  );
  await expect(file(STATES).setUp('clock', {})).rejects.toThrow('has no state "clock" with params {}');
});
