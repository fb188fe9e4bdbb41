/** The opened parts of a process. They are closed in the reverse order of their opening. */
export class OpenedParts {
  readonly #closes: (() => unknown)[] = [];
  #isClosed = false;

  /** Adds a part, by the function that closes it. After `close` that is called at once: the start failed meanwhile. */
  add(close: () => unknown): void {
    if (!this.#isClosed) this.#closes.push(close);
    // nobody waits for it, and the failure of the start is reported already
    else void attempt(close).catch(() => undefined);
  }

  /** Closes all parts, one after the other. @throws the first failure, after the others have been closed */
  async close(): Promise<void> {
    this.#isClosed = true;
    const failures: unknown[] = [];
    for (const close of this.#closes.splice(0).reverse()) {
      await attempt(close).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

const attempt = async (close: () => unknown): Promise<void> => {
  await close();
};
