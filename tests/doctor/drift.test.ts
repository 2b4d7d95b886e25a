import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { drift, driftLines } from '../../doctor/drift/drift.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

/** The contract, changed as somebody's document may differ. */
function documentWith(change: (document: Json) => void): string {
  const document = structuredClone(readYaml('openapi.yaml')) as Json;
  change(document);
  const file = join(scratch('drift'), 'theirs.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

test('the contract itself has not drifted', async () => {
  const differences = await drift(
    documentWith((document) => (document['info'].title = 'Theirs')),
    'Service',
  );
  expect(differences.filter((one) => one.isBreaking)).toEqual([]);
});

test('a shorter text and a path that is gone are named with their operations and rules', async () => {
  const file = documentWith(({ components, paths }) => {
    components.schemas.TransferOutRequest.properties.remittanceInformation.maxLength = 40;
    delete paths['/quotes/{quoteId}/authorize'];
  });
  const differences = await drift(file, 'Service');
  const length = differences.find(({ field }) => field.includes('remittanceInformation'))!;
  expect(length).toMatchObject({ operation: 'transferOut', isBreaking: true });
  expect(length.rules).toContain('TRANSFER-REMITTANCE-MAX');
  const gone = differences.find(({ operation }) => operation.includes('/quotes/{quoteId}/authorize'))!;
  expect(gone.isBreaking).toBe(true);
  expect(gone.rules).toContain('SCA-AUTHORIZE-ACCEPTED');
  expect(driftLines(differences)).toMatch(/^A client of the contract would notice:\n {2}transferOut\n/);
});

test('what is no OpenAPI document ends with one sentence', async () => {
  const file = join(scratch('drift'), 'list.yaml');
  writeFileSync(file, '- a\n');
  await expect(drift(file, 'Service')).rejects.toThrow(UsageError);
  await expect(drift('no/such.yaml', 'Service')).rejects.toThrow(/cannot be read/);
});
