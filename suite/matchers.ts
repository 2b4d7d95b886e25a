import { expect as base } from '@playwright/test';
import { Unanswered, type Answer } from './answer.ts';

/** Statuses as words: `400 or 403`. */
const either = (values: readonly (string | number)[]) => values.join(' or ');

function verdict(name: string, pass: boolean, expected: string, answer: Answer, actual: unknown) {
  return {
    name,
    pass,
    expected,
    actual,
    message: () => `"${answer.label}": expected ${pass ? 'not ' : ''}${expected}, got ${String(actual)}`,
  };
}

/** Playwright's `expect` with matchers over answers; each looks at one thing of an answer only. */
export const expect = base.extend({
  /** A 2xx. */
  toBeAccepted(answer: Answer) {
    return verdict('toBeAccepted', answer.accepted, 'an accepted request (2xx)', answer, answer.status);
  },
  /** A 4xx, or one of the given statuses. */
  toBeRefused(answer: Answer, ...statuses: number[]) {
    // A limit on the rate refuses everything, so it proves no particular refusal.
    if (answer.cameFromBetween && !statuses.includes(answer.status))
      throw new Unanswered(
        `"${answer.label}" was answered ${answer.outcome}, which may come from something in between`,
      );
    const pass = statuses.length > 0 ? statuses.includes(answer.status) : answer.refused;
    return verdict(
      'toBeRefused',
      pass,
      `a refusal (${statuses.length > 0 ? either(statuses) : '4xx'})`,
      answer,
      answer.status,
    );
  },
  /** One of the given HTTP statuses. */
  toHaveHttpStatus(answer: Answer, ...statuses: number[]) {
    return verdict(
      'toHaveHttpStatus',
      statuses.includes(answer.status),
      `HTTP status ${either(statuses)}`,
      answer,
      answer.status,
    );
  },
  /** The `status` field of the object in the body. */
  toHaveStatus(answer: Answer, ...statuses: string[]) {
    const actual: unknown = answer.body?.status;
    return verdict(
      'toHaveStatus',
      statuses.includes(actual as string),
      `status ${either(statuses)}`,
      answer,
      actual,
    );
  },
  /** The `code` field of an error body. */
  toHaveCode(answer: Answer, ...codes: string[]) {
    return verdict(
      'toHaveCode',
      codes.includes(answer.code ?? ''),
      `code ${either(codes)}`,
      answer,
      answer.code,
    );
  },
});
