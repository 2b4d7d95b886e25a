/** The value of a JSON text; undefined where it is none, or where there is no text. */
export function parsedOrNothing(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
