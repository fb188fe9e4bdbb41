const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");
const MASK = "[secret]";

/**
 * A value that does not print: logs, errors, JSON and the inspector show only "[secret]" (INV-10). JavaScript
 * cannot erase a bigint; `take` can only drop the last reference (SECURITY.md).
 */
export class Secret<T> {
  #held: { readonly value: T } | undefined;

  constructor(value: T) {
    this.#held = { value };
  }

  /** Returns the value; throws once it has been taken. */
  reveal(): T {
    if (this.#held === undefined) throw new Error("a secret was used after it was taken");
    return this.#held.value;
  }

  /**
   * Returns the value for the last time: every later reveal or take throws. For values that are used at most
   * once (INV-2).
   */
  take(): T {
    const value = this.reveal();
    this.#held = undefined;
    return value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [INSPECT](): string {
    return MASK;
  }
}
