import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { NetworkEntry } from "@conclave/chains";
import { ConfigurationError, Outage } from "@conclave/platform";
import workerpool from "workerpool";
import type { BodyReader } from "./body-reader.ts";
import type { LaterReader } from "./body-reading.ts";

/** Heap limit of the thread, in MiB: several times what the largest body takes besides the code. */
const OLD_GENERATION_MB_MAX = 192;

/**
 * Time after which a thread is replaced. The longest body takes less than a tenth of a second, and a thread's start
 * another tenth.
 */
const READING_MS_MAX = 60_000;
/** The thread can be ended at once, as it holds nothing to release. */
const STOP_AT_ONCE_MS = 1;

const COMPILED = new URL("./worker.js", import.meta.url);

/** The thread's input at its start. */
export interface ReadingStart {
  readonly networks: readonly NetworkEntry[];
}

export interface ReadingThread {
  readonly reader: LaterReader;
  /**
   * Starts the thread before there is anything to read.
   * @throws ConfigurationError if it cannot start, for example without its file
   */
  readonly begin: () => Promise<void>;
  /** Ends the thread at once; readings under way get no answer. */
  readonly stop: () => Promise<void>;
}

/** A call that every worker of the pool answers, with the names of its functions. */
const METHODS = "methods";

/**
 * Opens a thread that reads bodies one after the other. It starts at `begin` or with the first body, and again after a
 * body that broke it.
 * @param script the compiled worker.ts
 */
export const openReadingThread = (start: ReadingStart, script: URL = COMPILED): ReadingThread => {
  let isStopped = false;
  const pool = workerpool.pool(fileURLToPath(script), {
    workerType: "thread",
    maxWorkers: 1,
    workerTerminateTimeout: STOP_AT_ONCE_MS,
    workerThreadOpts: {
      workerData: start,
      // the compiled file needs no options of this process, such as those of a test runner
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB_MAX },
    },
  });
  const later =
    <Name extends keyof BodyReader>(name: Name) =>
    async (...asked: Parameters<BodyReader[Name]>): Promise<ReturnType<BodyReader[Name]>> => {
      if (isStopped) throw new Outage("reader of bodies", undefined);
      // cloned here first, as the pool would count a thread as busy for ever if sending the arguments failed
      const sent = structuredClone(asked);
      return pool.exec<BodyReader[Name]>(name, sent).timeout(READING_MS_MAX);
    };
  return {
    reader: {
      signature: later("signature"),
      networkOf: later("networkOf"),
      transaction: later("transaction"),
      act: later("act"),
    },
    begin: async () => {
      try {
        await access(script);
        await pool.exec(METHODS).timeout(READING_MS_MAX);
      } catch (error) {
        if (isStopped) return;
        const reason = error instanceof Error ? error.message : String(error);
        throw new ConfigurationError(
          `The thread that reads long bodies cannot start from ${fileURLToPath(script)}: ${reason}. Deploy all files of the gateway's bundle together.`,
        );
      }
    },
    stop: async () => {
      isStopped = true;
      await pool.terminate(true);
    },
  };
};
