import { fileURLToPath } from "node:url";
import type { NetworkEntry } from "@conclave/chains";
import workerpool from "workerpool";
import type { BodyReader } from "./body-reader.ts";
import type { LaterReader } from "./body-reading.ts";

/** Heap of the thread, in MiB: several times what the largest body takes beside the code. */
const OLD_GENERATION_MB_MAX = 192;

const COMPILED = new URL("./worker.js", import.meta.url);

/** What the thread is started with. */
export interface ReadingStart {
  readonly networks: readonly NetworkEntry[];
}

export interface ReadingThread {
  readonly reader: LaterReader;
  /** Ends it at once; what it reads is not answered any more. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens a thread that reads bodies one after the other. It starts with the first body, and again after one that broke it.
 * @param script the compiled worker.ts
 */
export const openReadingThread = (start: ReadingStart, script: URL = COMPILED): ReadingThread => {
  const pool = workerpool.pool(fileURLToPath(script), {
    workerType: "thread",
    maxWorkers: 1,
    workerThreadOpts: {
      workerData: start,
      // what is compiled needs none of the process's own, such as those of a test runner
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB_MAX },
    },
  });
  return {
    reader: {
      signature: async (...asked) => pool.exec<BodyReader["signature"]>("signature", asked),
      networkOf: async (...asked) => pool.exec<BodyReader["networkOf"]>("networkOf", asked),
      transaction: async (...asked) => pool.exec<BodyReader["transaction"]>("transaction", asked),
      act: async (...asked) => pool.exec<BodyReader["act"]>("act", asked),
    },
    stop: async () => {
      await pool.terminate(true);
    },
  };
};
