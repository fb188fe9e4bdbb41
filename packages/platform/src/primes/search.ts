import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type AuxiliaryPrimes, type Parameters, Secret } from "@conclave/threshold";
import type { PrimesProgress } from "./primes.ts";

export type SearchRequest = Pick<Parameters, "primeBits">;

export type FromSearch =
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  | { readonly kind: "found"; readonly primes: AuxiliaryPrimes };

/** The file that the search process runs, and its Node options. */
export interface SearchEntry {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

const COMPILED: SearchEntry = { url: new URL("./child.js", import.meta.url), execArgv: [] };

export interface SearchOptions {
  /** aborts the search at once */
  readonly signal: AbortSignal;
  readonly progress?: PrimesProgress;
  readonly entry?: SearchEntry;
}

/**
 * Searches new primes for auxiliary generation in a process of its own. The search keeps a thread busy for seconds;
 * meanwhile the signer can answer, and an aborted search ends at once. The primes come through a pipe that no other
 * process has.
 *
 * @throws if aborted, or if the process dies
 */
export const searchAuxiliaryPrimes = (
  parameters: SearchRequest,
  { signal, progress, entry = COMPILED }: SearchOptions,
): Promise<Secret<AuxiliaryPrimes>> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(entry.url), {
      execArgv: [...entry.execArgv],
      env: {}, // the process does not need the passphrase
      serialization: "advanced", // supports bigint
    });
    const end = (settle: () => void): void => {
      signal.removeEventListener("abort", abort);
      child.removeAllListeners();
      child.kill("SIGKILL");
      settle();
    };
    const abort = (): void => end(() => reject(new Error("the search for primes was given up")));
    signal.addEventListener("abort", abort);
    child.on("error", (error) => end(() => reject(error)));
    child.on("exit", () => end(() => reject(new Error("the process that looks for primes died"))));
    child.on("message", (message: FromSearch) => {
      if (message.kind === "progress") progress?.(message.done, message.of);
      else end(() => resolve(new Secret(message.primes)));
    });
    child.send({ primeBits: parameters.primeBits } satisfies SearchRequest);
  });
