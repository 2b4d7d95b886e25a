import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import type { Mutant } from '../../../proof/mutants/instrument.ts';
import { explanationOf, readSurvivors } from '../../../proof/mutants/survivors.ts';
import { scratch } from '../../support/run-assay.ts';

const mutant: Mutant = {
  id: '7',
  file: 'areas/a/rules.ts',
  line: 3,
  kind: 'K',
  was: 'a < b',
  becomes: 'a <= b',
};

test('an explanation follows its mutant to another line, and not to another text', () => {
  const because = 'Which side the threshold lies on is not shown.';
  const list = [
    { file: mutant.file, was: mutant.was, becomes: mutant.becomes, is: 'open', because },
  ] as const;
  expect(explanationOf({ ...mutant, line: 9 }, list)?.because).toBe(because);
  expect(explanationOf({ ...mutant, becomes: 'true' }, list)).toBeUndefined();
});

test('the list in the repository can be read', () => {
  expect(() => readSurvivors()).not.toThrow();
});

test('an entry without a reason is refused', () => {
  const file = join(scratch('survivors'), 'list.yaml');
  writeFileSync(file, '- {file: a, was: b, becomes: c, is: open}\n');
  expect(() => readSurvivors(pathToFileURL(file))).toThrow(
    /Entry 1 of .* needs file, was, becomes and because/,
  );
});
