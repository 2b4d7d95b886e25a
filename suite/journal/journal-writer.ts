import type { CheckResult, Finding, Journal, Observation, RecordedExchange } from './types.ts';

/** Collects what one test leaves behind. */
export class JournalWriter {
  readonly rules: readonly string[];
  readonly #seen = new Map<string, number>();
  readonly #checks: CheckResult[] = [];
  readonly #findings: Finding[] = [];
  readonly #observations: Observation[] = [];
  readonly #exchanges: RecordedExchange[] = [];
  readonly #known: ReadonlyMap<string, string>;
  #unprepared: string | undefined;
  #inconclusive: string | undefined;
  #engineErrors: unknown[] = [];

  /**
   * @param rules rules that the test can verify
   * @param known rules listed as known failures, with the reason given
   */
  constructor(rules: readonly string[], known: ReadonlyMap<string, string>) {
    this.rules = rules;
    this.#known = known;
  }

  see(rules: Iterable<string>): void {
    for (const rule of rules) this.#seen.set(rule, (this.#seen.get(rule) ?? 0) + 1);
  }

  add(exchange: RecordedExchange): void {
    this.#exchanges.push(exchange);
  }

  check(result: CheckResult): void {
    this.#checks.push(result);
  }

  find(finding: Omit<Finding, 'known'>): void {
    const known = this.#known.get(finding.rule);
    this.#findings.push(known === undefined ? finding : { ...finding, known });
  }

  observe(observation: Observation): void {
    this.#observations.push(observation);
  }

  /** The first reason stays: later ones follow from it. */
  unprepared(reason: string): void {
    this.#unprepared ??= reason;
  }

  inconclusive(reason: string): void {
    this.#inconclusive ??= reason;
  }

  /** An error of the suite itself, kept so that the test fails with it. */
  engineError(error: unknown): void {
    this.#engineErrors.push(error);
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get engineErrors(): readonly unknown[] {
    return this.#engineErrors;
  }

  /** Why the test proves less than it could, if it does. */
  get doubt(): string | undefined {
    return (
      this.#unprepared ??
      this.#inconclusive ??
      this.#checks.find((check) => check.outcome === 'inconclusive')?.reason
    );
  }

  toJournal(): Journal {
    return {
      version: 1,
      rules: this.rules,
      seen: Object.fromEntries(this.#seen),
      checks: this.#checks,
      findings: this.#findings,
      observations: this.#observations,
      exchanges: this.#exchanges,
      ...(this.#unprepared === undefined ? {} : { unprepared: this.#unprepared }),
      ...(this.#inconclusive === undefined ? {} : { inconclusive: this.#inconclusive }),
    };
  }
}
