import type { WorkerEntry } from "../compute/pool.ts";

/** The messages in which a signer lies, by their place in the protocol: numbers as envelopes carry them. */
export interface Lie {
  readonly round: number;
  readonly kind: number;
}

/** The compute worker of a signer that lies when it is told to, and is honest before. */
export interface LyingWorker {
  readonly entry: WorkerEntry;
  readonly lie: (lie: Lie | undefined) => void;
  readonly close: () => void;
}

/** @param channel a name that no other test of the process uses */
export const lyingWorker = (channel: string): LyingWorker => {
  const url = new URL("./lying-worker.mjs", import.meta.url);
  url.searchParams.set("channel", channel);
  const orders = new BroadcastChannel(channel);
  orders.unref();
  return {
    entry: { url, execArgv: ["--conditions=source"] },
    lie: (lie) => orders.postMessage(lie),
    close: () => orders.close(),
  };
};
