import type { ChainFailure } from "@conclave/chaos";
import type { WorldChain } from "../chain/world-chain.ts";
import { LastingState } from "./lasting-state.ts";

/** Blocks of each simulated chain are final below these. */
const UNDONE_BLOCKS_MAX = 2;
const EVER = Number.MAX_SAFE_INTEGER;
const NOTHING = (): void => undefined;

/** Hears of each payment that is on the chain no more, because its block was undone. @param to its recipient */
type Undone = (to: string) => void;

/** Makes the faults of a plan happen to one chain. A state that several faults ask for lasts until the last one ends. */
export class ChainFaults {
  readonly #chain: WorldChain["controls"];
  readonly #landed: WorldChain["landed"];
  readonly #undone: Undone;
  readonly #held: LastingState;
  readonly #refused: LastingState;

  constructor({ controls, landed }: Pick<WorldChain, "controls" | "landed">, undone: Undone) {
    this.#chain = controls;
    this.#landed = landed;
    this.#undone = undone;
    this.#held = new LastingState((isOn) => controls.hold(isOn));
    this.#refused = new LastingState((isOn) =>
      controls.refuse(isOn ? EVER : 0, "the node takes no transaction"),
    );
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
        return this.#held.begin();
      case "refuse":
        return this.#refused.begin();
      case "overload":
        throw new Error("no organisation of a world overloads a chain");
    }
  }

  #reorganise(blocks: number): void {
    const depth = Math.min(blocks, UNDONE_BLOCKS_MAX, Number(this.#chain.height()));
    if (depth === 0) return;
    const before = this.#landed();
    this.#chain.reorganise(depth);
    const kept = new Set(this.#landed().map(({ hash }) => hash));
    for (const { hash, to } of before) if (!kept.has(hash) && to !== undefined) this.#undone(to);
  }
}
