/** The value of a JSON text; undefined where it is none, or where there is no text. */
export function parsedOrNothing(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** A JSON object: arrays and null are none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON with a row a line: two contributors who measure different things do not meet in one line.
 *
 * @param levels lists and objects so deep give a line to each of their members; what lies deeper stands in one line
 */
export function jsonRows(value: unknown, levels = 2): string {
  return `${rows(value, levels, '')}\n`;
}

function rows(value: unknown, levels: number, indent: string): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inside = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((one) => rows(one, levels - 1, inside))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${rows(one, levels - 1, inside)}`);
  const [opens, closes] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0
    ? `${opens}${closes}`
    : `${opens}\n${inside}${lines.join(`,\n${inside}`)}\n${indent}${closes}`;
}
