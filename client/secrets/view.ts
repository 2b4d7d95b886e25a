/**
 * A text as bytes, in the form in which a secret may stand in it: as it is, without escapes, or decoded from base64 or
 * hexadecimal digits. Every byte knows where it comes from.
 */
export interface View {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where a stretch of these bytes begins in the original text: index of the first character. */
  startOf(from: number): number;
  /** Where a stretch that ends before `to` ends in the original text: index after the last character. */
  endOf(to: number): number;
  /** Whether a stretch reads otherwise than in the view that this one was made of. */
  isNew(from: number, to: number): boolean;
}

/** Stands between stretches that do not belong together: part of no secret, of no number and of no name. */
export const BREAK = 0;
