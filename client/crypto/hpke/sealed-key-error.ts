/** Which part of a sealed key or bundle is wrong. */
export type SealedKeyProblem =
  | 'not-text'
  | 'not-base58check'
  | 'wrong-length'
  | 'not-json'
  | 'field-missing'
  | 'not-hex'
  | 'not-on-curve'
  | 'does-not-open'
  | 'not-a-private-key';

/**
 * A bundle or a sealed key that cannot be used. The message is one sentence that says what is wrong; it never holds a
 * key, a code or a plaintext, since it ends up in reports.
 */
export class SealedKeyError extends Error {
  readonly problem: SealedKeyProblem;

  constructor(problem: SealedKeyProblem, message: string) {
    super(message);
    this.name = 'SealedKeyError';
    this.problem = problem;
  }
}
