type Task = () => void | Promise<void>;

/**
 * What a reporter has still to do for tests that have ended. While it works in Playwright's own turn, no worker is given
 * its next test; so it works when the messages that have come are answered.
 */
export class WorkQueue {
  readonly #tasks: Task[] = [];
  #work: Promise<void> | undefined;
  #error: Error | undefined;

  /** Tasks are done in the order in which they came, one a turn. */
  add(task: Task): void {
    this.#tasks.push(task);
    this.#work ??= this.#goOn();
  }

  /**
   * Waits until nothing is left.
   *
   * @throws what the first task threw that failed; those after it were done all the same
   */
  async done(): Promise<void> {
    await this.#work;
    if (this.#error !== undefined) throw this.#error;
  }

  async #goOn(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const task = this.#tasks.shift();
      if (!task) break;
      try {
        await task();
      } catch (error) {
        this.#error ??= error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#work = undefined;
  }
}
