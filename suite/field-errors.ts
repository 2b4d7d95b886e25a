import type { Answer } from './answer.ts';

/** The fields that a 400 names in details.errors; undefined where it has no usable list, which is not required everywhere. */
export function fieldsNamed(answer: Answer): readonly string[] | undefined {
  if (answer.exchange.response?.status !== 400) return undefined;
  const errors: unknown = answer.body?.details?.errors;
  const named = Array.isArray(errors)
    ? errors.map((entry) => (entry as { field?: unknown } | null)?.field)
    : undefined;
  return named?.every((field) => typeof field === 'string') ? named : undefined;
}

/** Whether a named path leads to a field. A service may say where the body stands in the request, as in `body.amount`. */
export function leadsTo(named: string, field: string): boolean {
  return `.${named}`.endsWith(`.${field}`);
}
