import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type AuxiliaryPrimes, type Parameters, Secret } from "@conclave/threshold";
import type { PrimesProgress } from "./primes.ts";

export type SearchRequest = Pick<Parameters, "primeBits">;

export type FromSearch =
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  | { readonly kind: "found"; readonly primes: AuxiliaryPrimes };

/** The file that the searching process runs, and the Node options it needs. */
export interface SearchEntry {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

const COMPILED: SearchEntry = { url: new URL("./child.js", import.meta.url), execArgv: [] };

export interface SearchOptions {
  /** ends the search at once */
  readonly signal: AbortSignal;
  readonly progress?: PrimesProgress;
  readonly entry?: SearchEntry;
}

/**
 * Fresh primes for auxiliary generation, found by a process of its own: the search keeps a thread busy for seconds, the
 * signer answers meanwhile, and a search that is told to stop ends at once. The primes come through a pipe that no other
 * process holds.
 *
 * @throws when aborted, or when the process dies
 */
export const searchAuxiliaryPrimes = (
  parameters: SearchRequest,
  { signal, progress, entry = COMPILED }: SearchOptions,
): Promise<Secret<AuxiliaryPrimes>> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(entry.url), {
      execArgv: [...entry.execArgv],
      env: {}, // it needs no passphrase
      serialization: "advanced", // carries bigint
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
