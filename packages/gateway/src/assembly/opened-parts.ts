/** The opened parts of a process. They are closed in the reverse order of their opening. */
export class OpenedParts {
  readonly #closes: (() => unknown)[] = [];

  /** Adds a part, by the function that closes it. */
  add(close: () => unknown): void {
    this.#closes.push(close);
  }

  /** Closes all parts, one after the other. @throws the first failure, after the others have been closed */
  async close(): Promise<void> {
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
