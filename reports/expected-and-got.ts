/** A message in its two halves, where it has them. */
export interface ExpectedAndGot {
  readonly expected: string;
  readonly got?: string;
}

/** The ways in which messages of checks and shapes turn from what should be to what is. */
const TURNS = [
  /^(?<expected>[\s\S]*?)[,;.]?\s+(?:but )?(?:got|seen|saw|Seen|Received|received|Got)(?::|\s)\s*(?<got>[\s\S]+)$/,
  /^(?<expected>[\s\S]*?), not with (?<got>[\s\S]+)$/,
];

/** Splits a message of a check into what was expected and what came. */
export function expectedAndGot(message: string): ExpectedAndGot {
  for (const turn of TURNS) {
    const { expected, got } = turn.exec(message.trim())?.groups ?? {};
    if (expected && got) return { expected: expected.replace(/^Expected:?\s+/, '').trim(), got: got.trim() };
  }
  return { expected: message.trim() };
}
