import type { World } from "@conclave/custody";
import { MemoryLedger } from "./ledger.ts";
import type { MemoryLine } from "./line.ts";

type Asked = Pick<MemoryLine, "ask">;
type Change = (ledger: MemoryLedger) => unknown;

/** A ledger with the changes that made it, so that a node which is behind repeats them later, in their order. */
export class LedgerHistory {
  readonly newest: MemoryLedger;
  readonly #world: Pick<World, "monotonicMs">;
  readonly #chainId: number;
  readonly #changes: { readonly atMs: number; readonly change: Change }[] = [];

  constructor(chainId: number, world: Pick<World, "monotonicMs">) {
    this.#chainId = chainId;
    this.#world = world;
    this.newest = new MemoryLedger(chainId);
  }

  /** Changes the ledger. @param change does the same to each ledger of the same state */
  change<T>(change: (ledger: MemoryLedger) => T): T {
    this.#changes.push({ atMs: this.#world.monotonicMs(), change });
    return change(this.newest);
  }

  /** A ledger that is behind by some time. @param line to it: each call over it first brings the ledger on */
  behind(byMs: number, line: Asked): { readonly ledger: MemoryLedger; readonly line: Asked } {
    const ledger = new MemoryLedger(this.#chainId);
    let repeated = 0;
    const catchUp = (): void => {
      const untilMs = this.#world.monotonicMs() - byMs;
      for (
        let next = this.#changes[repeated];
        next !== undefined && next.atMs <= untilMs;
        next = this.#changes[repeated]
      ) {
        next.change(ledger);
        repeated += 1;
      }
    };
    const ask: Asked["ask"] = (network, answer) =>
      line.ask(network, () => {
        catchUp();
        return answer();
      });
    return { ledger, line: { ask } };
  }
}
