/** What a prepared state gives to a test. */
export type StateValues = Readonly<Record<string, unknown>>;
export type StateParams = Readonly<Record<string, unknown>>;

/** Prepares the situations that checks need. docs/provider-states.md has every state, its params and its values. */
export interface StateProvider {
  readonly name: string;
  /**
   * @throws CannotPrepare when this target has no such state: the rules stay `not verified`
   * @throws PreparationFailed when it should have worked: the rules become `inconclusive`
   */
  setUp(state: string, params: StateParams): Promise<StateValues>;
  /** Why an operation must not be called in this test, where what is prepared may not be used up. */
  forbids?(operation: string): string | undefined;
  /** Removes what setUp created, where an operation for it exists. Never throws. */
  tearDown(state: string, values: StateValues): Promise<void>;
  /** The test has changed nothing but what these values gave it to use: the rest may serve another. */
  handOn?(values: StateValues): void;
}

/** The target, as set up, does not offer the situation. */
export class CannotPrepare extends Error {
  override readonly name = 'CannotPrepare';
  /** What was answered. */
  readonly status: number | undefined;
  /** What would mend it, as an order, where that is more than to serve the state. */
  readonly mend: string | undefined;

  constructor(message: string, status?: number, mend?: string) {
    super(message);
    this.status = status;
    this.mend = mend;
  }
}

/** The situation is offered, but setting it up went wrong. */
export class PreparationFailed extends Error {
  override readonly name = 'PreparationFailed';
  /** What would mend it, as an order, where that is known. */
  readonly mend: string | undefined;

  constructor(message: string, mend?: string) {
    super(message);
    this.mend = mend;
  }
}
