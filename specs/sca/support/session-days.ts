/** How long the session of an SCA customer lasts (Authentication, 10; Limits, SCA session). */
export const SESSION_DAYS = 180;

const DAY_SECONDS = 86_400;

export const SESSION_SECONDS = SESSION_DAYS * DAY_SECONDS;

/** @param milliseconds a span of time */
export function inDays(milliseconds: number): number {
  return milliseconds / 1_000 / DAY_SECONDS;
}
