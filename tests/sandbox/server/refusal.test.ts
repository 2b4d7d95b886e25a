import { expect, test } from '@playwright/test';
import { refusalOf, refuse, Refusal, refusedAs } from '../../../sandbox/server/refusal.ts';

const no = new Refusal(403, 'FORBIDDEN', 'No.');
const other = new Refusal(404, 'REFERENCE_NOT_FOUND', 'Not there.');
const broken = () => {
  throw new TypeError('a defect');
};

test('a question that is asked without stopping tells its refusal, and no defect', () => {
  expect(refusalOf(() => refuse(no))).toBe(no);
  expect(refusalOf(() => 'fine')).toBeUndefined();
  expect(() => refusalOf(broken)).toThrow(TypeError);
});

test('another refusal stands in where the answer is no, and nowhere else', () => {
  expect(
    refusedAs(
      () => 'fine',
      () => other,
    ),
  ).toBe('fine');
  expect(
    refusalOf(() =>
      refusedAs(
        () => refuse(no),
        () => other,
      ),
    ),
  ).toBe(other);
  expect(() => refusedAs(broken, () => other)).toThrow(TypeError);
});
