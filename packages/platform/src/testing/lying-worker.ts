import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkerEntry } from "../compute/pool.ts";

/** The messages in which a signer lies, by their place in the protocol: numbers as envelopes carry them. */
export interface Lie {
  readonly round: number;
  readonly kind: number;
}

/** The compute worker of a signer that lies when it is told to, and is honest otherwise. */
export interface LyingWorker {
  readonly entry: WorkerEntry;
  readonly lie: (lie: Lie) => void;
  readonly beHonest: () => void;
}

/** One for each process: its workers look for their orders in a file that is named by the process. */
export const lyingWorker = (): LyingWorker => {
  const orders = join(tmpdir(), `conclave-lies-${process.pid}`);
  return {
    entry: { url: new URL("./lying-worker.mjs", import.meta.url), execArgv: ["--conditions=source"] },
    lie: (lie) => writeFileSync(orders, JSON.stringify(lie)),
    beHonest: () => rmSync(orders, { force: true }),
  };
};
