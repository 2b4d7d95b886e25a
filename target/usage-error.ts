/** Bad input to Assay itself: one sentence that says what is wrong and what to do. Ends the run with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
