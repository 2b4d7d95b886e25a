/** What has left an account since it was first looked at. */
export interface Taken {
  /** In the smallest unit of the account's currency; less than 0 where money came in. */
  readonly amount: number;
  /** The balance at the first look. */
  readonly opening: number;
  /** How the account's currency is written, where the target shows it. */
  readonly unit?: Unit | undefined;
}

interface Unit {
  readonly code: string;
  readonly decimals: number;
}

/** What may have left, each in the smallest unit. */
export interface Due {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly below?: number;
}

/** A balance, in the smallest unit of its currency. */
export interface Balance {
  readonly amount: number;
  readonly unit?: Unit | undefined;
}

/** The balance of an account as it is shown; undefined where none can be recognised. */
export function balanceIn(account: unknown): Balance | undefined {
  const { balance } = (account ?? {}) as { balance?: { amount?: unknown; currency?: unknown } | null };
  if (typeof balance?.amount !== 'number') return undefined;
  const { code, decimals } = (balance.currency ?? {}) as Partial<Record<keyof Unit, unknown>>;
  const isUnit = typeof code === 'string' && typeof decimals === 'number' && decimals >= 0 && decimals <= 20;
  return { amount: balance.amount, unit: isUnit ? { code, decimals } : undefined };
}

/** What has left between two looks. */
export function takenBetween(before: Balance, now: Balance): Taken {
  return { amount: before.amount - now.amount, opening: before.amount, unit: now.unit };
}

/** What has left, counted from a later look. */
export function since(before: Taken, now: Taken): Taken {
  return { ...now, amount: now.amount - before.amount, opening: now.opening - before.amount };
}

/** Whether what has left is what is due. */
export function isDue({ amount }: Taken, { exactly, atLeast, below }: Due): boolean {
  return (
    (exactly === undefined || amount === exactly) &&
    (atLeast === undefined || amount >= atLeast) &&
    (below === undefined || amount < below)
  );
}

/** The balance before, the one that should be there, and the one that came. */
export function balancesInWords({ amount, opening, unit }: Taken, { exactly, atLeast, below }: Due): string {
  const money = (left: number) => inWords(opening - left, unit);
  const expected = [
    ...(exactly === undefined ? [] : [money(exactly)]),
    ...(below === undefined ? [] : [`more than ${money(below)}`]),
    ...(atLeast === undefined ? [] : [`at most ${money(atLeast)}`]),
  ];
  return `the balance, ${money(0)} before: expected ${expected.join(' and ')}, got ${money(amount)}`;
}

function inWords(amount: number, unit: Unit | undefined): string {
  if (!unit) return `${amount}`;
  const { code, decimals } = unit;
  const number = (amount / 10 ** decimals).toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${number} ${code}`;
}
