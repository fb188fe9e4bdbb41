import type { BusFailure, InjectedFault } from "@conclave/chaos";
import type { World } from "@conclave/custody";
import type { MemoryBroker } from "@conclave/platform/testing";
import { AgedCopies } from "./aged-copies.ts";

/** Copies are made as often as the bus of real processes is copied. */
const COPY_EVERY_MS = 1_000;

/** Makes the faults of a plan happen to the bus. */
export class BusFaults {
  readonly #broker: MemoryBroker;
  readonly #world: Pick<World, "monotonicMs" | "every">;
  readonly #copies = new AgedCopies<MemoryBroker["stored"]>();
  #repeating = 0;

  /** @param faults all of the plan: where one restores a copy, copies are made from now on */
  constructor(
    broker: MemoryBroker,
    world: Pick<World, "monotonicMs" | "every">,
    faults: readonly InjectedFault[],
  ) {
    this.#broker = broker;
    this.#world = world;
    if (!faults.some((fault) => fault.kind === "bus" && fault.failure.kind === "goes back")) return;
    this.#copy();
    world.every(COPY_EVERY_MS, () => this.#copy());
  }

  /** @returns ends it, where it lasts */
  begin(failure: BusFailure): () => void {
    switch (failure.kind) {
      case "forgets":
        this.#broker.restore([]);
        return () => undefined;
      case "goes back":
        this.#broker.restore(this.#copies.of(this.#world.monotonicMs() - failure.byMs));
        return () => undefined;
      case "repeats":
        this.#repeat(1);
        return () => this.#repeat(-1);
    }
  }

  #repeat(more: number): void {
    this.#repeating += more;
    this.#broker.repeat(this.#repeating > 0);
  }

  #copy(): void {
    this.#copies.keep(this.#world.monotonicMs(), this.#broker.stored);
  }
}
