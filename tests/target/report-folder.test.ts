import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkReportFolder } from '../../target/report-folder.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

const refuses = (folder: string, why: string) =>
  expect(() => checkReportFolder(folder)).toThrow(
    new UsageError(`REPORT_DIR ${folder} cannot be used: ${why}. Choose a folder that can be written.`),
  );

test('a folder, there or not yet there, is left as it was', () => {
  const parent = scratch('folder');
  checkReportFolder(join(parent, 'a/b/c'));
  expect(readdirSync(parent)).toEqual([]);
  mkdirSync(join(parent, 'mine'));
  writeFileSync(join(parent, 'mine/file'), 'x');
  checkReportFolder(join(parent, 'mine'));
  expect(readdirSync(join(parent, 'mine'))).toEqual(['file']);
});

test('a file, a path through a file, and a file system without folders are refused', () => {
  const file = join(scratch('folder'), 'file');
  writeFileSync(file, 'x');
  refuses(file, 'it is a file');
  refuses(join(file, 'below'), 'a part of its path is a file');
  test.skip(!existsSync('/proc/self'), 'there is no /proc here');
  refuses('/proc/assay/reports', 'that file system takes no folders');
});
