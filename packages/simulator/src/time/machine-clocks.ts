/** How far the clocks of machines are ahead, milliseconds. A process that starts again meets the clock that its machine has. */
export class MachineClocks {
  readonly #aheadMs = new Map<string, number>();

  /** @param machine the name of its process */
  aheadMs(machine: string): number {
    return this.#aheadMs.get(machine) ?? 0;
  }

  /** Sets a clock forward, or back where below 0. */
  move(machine: string, ms: number): void {
    this.#aheadMs.set(machine, this.aheadMs(machine) + ms);
  }
}
