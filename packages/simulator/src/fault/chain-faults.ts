import type { ChainFailure } from "@conclave/chaos";
import type { ChainControls } from "../chain/world-chain.ts";

/** Blocks of each simulated chain are final below these. */
const UNDONE_BLOCKS_MAX = 2;
const EVER = Number.MAX_SAFE_INTEGER;
const NOTHING = (): void => undefined;

/** Makes the faults of a plan happen to one chain. A state that several faults ask for lasts until the last one ends. */
export class ChainFaults {
  readonly #chain: ChainControls;
  #holding = 0;
  #refusing = 0;

  constructor(chain: ChainControls) {
    this.#chain = chain;
  }

  /** @returns ends it, where it lasts @throws for a failure that this chain cannot have */
  begin(failure: ChainFailure): () => void {
    switch (failure.kind) {
      case "forget":
        this.#chain.drop();
        return NOTHING;
      case "reorganise":
        this.#reorganise(failure.blocks);
        return NOTHING;
      case "hold":
        this.#hold(1);
        return () => this.#hold(-1);
      case "refuse":
        this.#refuse(1);
        return () => this.#refuse(-1);
      case "overload":
        throw new Error("no organisation of a world overloads a chain");
    }
  }

  #reorganise(blocks: number): void {
    const depth = Math.min(blocks, UNDONE_BLOCKS_MAX, Number(this.#chain.height()));
    if (depth > 0) this.#chain.reorganise(depth);
  }

  #hold(more: number): void {
    this.#holding += more;
    this.#chain.hold(this.#holding > 0);
  }

  #refuse(more: number): void {
    this.#refusing += more;
    this.#chain.refuse(this.#refusing > 0 ? EVER : 0, "the node takes no transaction");
  }
}
