import type {
  CheckResult,
  Finding,
  GoneAway,
  Journal,
  Observation,
  Prepared,
  RecordedExchange,
} from './types.ts';

/** How a test may end early: the target lacks something, it refused a control, or something went wrong. */
export type GiveUpKind = 'unprepared' | 'refused' | 'inconclusive';

/** Why a breach is listed as known here, if it is. */
export type KnownHere = (
  finding: Pick<Finding, 'rule' | 'place' | 'message' | 'counterexample'>,
) => string | undefined;

/** A state, and the params that it was asked for with. */
interface StateAsked {
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Collects what one test leaves behind. */
export class JournalWriter {
  readonly rules: readonly string[];
  readonly #seen = new Map<string, number>();
  readonly #checks: CheckResult[] = [];
  readonly #findings: Finding[] = [];
  readonly #observations: Observation[] = [];
  readonly #known: KnownHere;
  readonly #prepared: Prepared[] = [];
  readonly #controls = new Set<string>();
  readonly #engineErrors: unknown[] = [];
  readonly #mask: (text: string) => string;
  readonly #asked: StateAsked[] = [];
  #stopped:
    { readonly kind: GiveUpKind; readonly reason: string; readonly mend: string | undefined } | undefined;
  #trouble: string | undefined;
  #page: string | undefined;
  readonly #spoken = new Set<string>();
  #isHopeless = false;
  #unwell = false;
  #gone: GoneAway | undefined;

  /**
   * @param rules rules that the test can verify
   * @param known why a breach is listed as known, if it is
   * @param mask removes secrets from a text
   */
  constructor(rules: readonly string[], known: KnownHere, mask: (text: string) => string = (text) => text) {
    this.rules = rules;
    this.#known = known;
    this.#mask = mask;
  }

  /** Removes the secrets that are known by now from a text. */
  mask(text: string): string {
    return this.#mask(text);
  }

  see(rules: Iterable<string>): void {
    for (const rule of rules) this.#seen.set(rule, (this.#seen.get(rule) ?? 0) + 1);
  }

  /** Notes a state that was prepared for the test. */
  ask(asked: StateAsked): void {
    this.#asked.push(asked);
  }

  get asked(): readonly StateAsked[] {
    return this.#asked;
  }

  check(result: CheckResult): void {
    this.#checks.push(result);
  }

  find(finding: Omit<Finding, 'known'>): void {
    const known = this.#known(finding);
    this.#findings.push(known === undefined ? finding : { ...finding, known });
  }

  observe(observation: Observation): void {
    this.#observations.push(observation);
  }

  prepare(prepared: Prepared): void {
    this.#prepared.push(prepared);
  }

  /** Notes an exchange that was shown to be accepted: the twin of one that must be refused. */
  control(exchange: string): void {
    this.#controls.add(exchange);
  }

  /** Why the test ends early. The first reason stays: later ones follow from it. */
  stop(kind: GiveUpKind, reason: string, mend?: string): void {
    this.#stopped ??= { kind, reason, mend };
  }

  /**
   * Notes trouble of the moment, so that the test is repeated. The first stays.
   *
   * @param options.isHopeless another try would meet the same: it is not worth the time
   */
  meetTrouble(what: string, options: { readonly isHopeless?: boolean } = {}): void {
    this.#trouble ??= what;
    if (options.isHopeless) this.#isHopeless = true;
  }

  /**
   * Notes that the target was not well while the test ran: whatever was found is in doubt.
   *
   * @param options.isPage it was a refusal in the form of a page, as some targets always write them: by itself no reason
   *   to repeat the test
   */
  foundUnwell(
    what: string,
    options: { readonly isPage?: boolean; readonly isHopeless?: boolean } = {},
  ): void {
    this.#unwell = true;
    if (options.isPage) this.#page ??= what;
    else this.meetTrouble(what, options);
  }

  /** Notes that the target had gone away for good, so that the test did not run, or not to its end. */
  foundGone(gone: GoneAway): void {
    this.#gone ??= gone;
  }

  /** Notes that something was accepted that stands on these keys of the dialect. */
  speaks(keys: readonly string[]): void {
    for (const key of keys) this.#spoken.add(key);
  }

  /** An error of the suite itself, kept so that the test fails with it. */
  engineError(error: unknown): void {
    this.#engineErrors.push(error);
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** The trouble that the test met, where it may have left something open. */
  get trouble(): string | undefined {
    return this.#trouble ?? (this.isOpen ? this.#page : undefined);
  }

  /** Whether another try of the test may go better. */
  get isWorthRepeating(): boolean {
    return this.trouble !== undefined && !this.#isHopeless && this.#gone === undefined;
  }

  /** Whether the test found something, or could not tell. */
  get isOpen(): boolean {
    return (
      this.#findings.length > 0 ||
      this.#stopped?.kind === 'inconclusive' ||
      this.#stopped?.kind === 'refused' ||
      // What was refused in the form of a page may be offered after all.
      (this.#stopped !== undefined && this.#page !== undefined) ||
      this.#checks.some((check) => check.outcome === 'inconclusive')
    );
  }

  get gone(): GoneAway | undefined {
    return this.#gone;
  }

  /** Whether the test ended early, and how. */
  get stopped(): GiveUpKind | undefined {
    return this.#stopped?.kind;
  }

  get engineErrors(): readonly unknown[] {
    return this.#engineErrors;
  }

  /** Why the test proves less than it could, if it does. */
  get doubt(): string | undefined {
    return this.#stopped?.reason ?? this.#checks.find((check) => check.outcome === 'inconclusive')?.reason;
  }

  /** @param exchanges everything that was recorded */
  toJournal(exchanges: readonly RecordedExchange[]): Journal {
    return {
      version: 1,
      rules: this.rules,
      seen: Object.fromEntries(this.#seen),
      checks: this.#checks,
      findings: this.#findings,
      observations: this.#observations,
      exchanges,
      ...(this.#prepared.length > 0 ? { prepared: this.#prepared } : {}),
      ...(this.#controls.size > 0 ? { controls: [...this.#controls] } : {}),
      ...(this.#stopped ? { [this.#stopped.kind]: this.#stopped.reason } : {}),
      ...(this.#stopped?.mend === undefined ? {} : { mend: this.#stopped.mend }),
      ...(this.trouble === undefined ? {} : { trouble: this.trouble }),
      ...(this.#unwell ? { unwell: true } : {}),
      ...(this.#spoken.size > 0 ? { spoken: [...this.#spoken] } : {}),
      ...(this.#gone ? { gone: this.#gone } : {}),
    };
  }
}
