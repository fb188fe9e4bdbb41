/** Counts payments whose block was undone, by recipient: each may be confirmed once more. */
export class UndonePayments {
  readonly #times = new Map<string, number>();

  add(to: string): void {
    this.#times.set(to, this.of(to) + 1);
  }

  /** How often a payment to a recipient was undone. */
  of(to: string): number {
    return this.#times.get(to) ?? 0;
  }
}
