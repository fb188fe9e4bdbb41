import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkerEntry } from "../compute/pool.ts";
import { bundledEntry } from "./bundled-entry.ts";

/**
 * The messages in which a signer lies, by their place in the protocol: numbers as envelopes carry them. Or whom it accuses in
 * every session, with what the accused signed in earlier ones.
 */
export type Lie = { readonly round: number; readonly kind: number } | { readonly accuse: readonly number[] };

/** An accusation that a lying signer made up. */
export interface MadeUp {
  readonly reporter: number;
  readonly accused: number;
}

/** The compute worker of a signer that lies on order, and is honest otherwise. */
export interface LyingWorker {
  readonly entry: WorkerEntry;
  readonly lie: (lie: Lie) => void;
  readonly beHonest: () => void;
  /** all accusations since the order to make some up */
  readonly madeUp: () => readonly MadeUp[];
}

/** One for each process: its workers look for their orders in a file that is named by the process. */
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
