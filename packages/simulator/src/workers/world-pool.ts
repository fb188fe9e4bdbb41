import type { WorldOrder, WorldReport } from "./world-order.ts";
import { type WorkerOptions, WorldWorker } from "./world-worker.ts";

/** Runs a world, and reports it. Never rejects. */
export type RunOrder = (order: WorldOrder) => Promise<WorldReport>;

/** Workers that share worlds. */
export interface WorldPool {
  /** Runs a world in the next worker that is free. */
  readonly run: RunOrder;
  /** Ends all processes of the pool at once. */
  readonly close: () => void;
}

/** Opens a pool. @param cores how many worlds run at a time, each in a process */
export const openWorldPool = (cores: number, options: WorkerOptions = {}): WorldPool => {
  const workers = Array.from({ length: cores }, () => new WorldWorker(options));
  const free = [...workers];
  const waiting: ((worker: WorldWorker) => void)[] = [];
  const taken = (): Promise<WorldWorker> => {
    const worker = free.pop();
    return worker === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(worker);
  };
  const run: RunOrder = async (order) => {
    const worker = await taken();
    const report = await worker.run(order);
    const next = waiting.shift();
    if (next === undefined) free.push(worker);
    else next(worker);
    return report;
  };
  const close = (): void => {
    for (const worker of workers) worker.close();
  };
  return { run, close };
};
