import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkerEntry } from "../compute/pool.ts";
import { bundledEntry } from "./bundled-entry.ts";

/**
 * The messages in which a signer lies, by round and kind as in envelopes; or the peers that it accuses in every
 * session, with messages that they signed in earlier ones.
 */
export type Lie = { readonly round: number; readonly kind: number } | { readonly accuse: readonly number[] };

/** An accusation that a lying signer made up. */
export interface MadeUp {
  readonly reporter: number;
  readonly accused: number;
}

/** The compute worker of a signer that lies on order, and is otherwise honest. */
export interface LyingWorker {
  readonly entry: WorkerEntry;
  readonly lie: (lie: Lie) => void;
  readonly beHonest: () => void;
  /** all accusations since the order to make some up */
  readonly madeUp: () => readonly MadeUp[];
}

/** One for each process: the orders are in a file whose name contains the process id. */
export const lyingWorker = (): LyingWorker => {
  const orders = join(tmpdir(), `conclave-lies-${process.pid}`);
  const records = `${orders}-told`;
  return {
    entry: bundledEntry(new URL("./lying-worker.mjs", import.meta.url)),
    lie: (lie) => writeFileSync(orders, JSON.stringify(lie)),
    beHonest: () => {
      for (const file of [orders, records]) rmSync(file, { force: true });
    },
    madeUp: () =>
      existsSync(records)
        ? readFileSync(records, "utf8")
            .trim()
            .split("\n")
            .map((line): MadeUp => JSON.parse(line))
        : [],
  };
};
