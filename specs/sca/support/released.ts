/** Statuses that show that the last authorization was taken. What else a wrong proof does to a quote is not shown. */
export const RELEASED: readonly unknown[] = ['PENDING', 'PROCESSING', 'COMPLETED'];
