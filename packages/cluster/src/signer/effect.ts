import type { Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeTask } from "../compute/task.ts";
import type { SessionReport } from "../control/report.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";
import type { StoreRolledBack } from "./older-store/spending-counts.ts";

/**
 * The effects that a signer asks for, in order. The shell carries out one effect after another, over all events, and does not
 * begin an effect before the earlier ones are done: a `store` before a `send` means durable before visible (INV-2).
 * A `send` is done once it is queued for its peer, a `compute` once it is queued for the host, a `store` once synced.
 */
export type SignerEffect =
  /** one synced write, sealed by the shell; when it fails, the process stops */
  | {
      readonly kind: "store";
      readonly record: string;
      readonly value: Secret<Uint8Array>;
      readonly forgetAtMs?: number;
    }
  | { readonly kind: "erase"; readonly record: string }
  /**
   * one atomic write: after a crash all of it is there, or nothing. With `sync` it is durable when it is done, and with
   * it all writes before; without, it may be lost to a power failure, but never outlived by a later write. To shred
   * a group of records is to destroy the key under which an older version sealed them. A record of the past bears the time from
   * which "forget" may remove it, and the time that it bore before
   */
  | {
      readonly kind: "batch";
      readonly puts: readonly {
        readonly record: string;
        readonly value: Secret<Uint8Array>;
        readonly forgetAtMs?: number;
        readonly insteadOfMs?: number;
      }[];
      readonly erases: readonly string[];
      readonly shreds?: readonly string[];
      readonly sync: boolean;
    }
  /**
   * removes what may be forgotten by then, Unix milliseconds, slice by slice and beside all other effects: nothing waits for
   * it, no slice is synced, and one that is lost is removed by the next
   */
  | { readonly kind: "forget"; readonly untilMs: number }
  /** to one peer: broadcasts come as one effect a receiver */
  | { readonly kind: "send"; readonly to: PartyIndex; readonly envelope: Envelope }
  /** fresh primes for auxiliary generation; answered by the event "primes" */
  | { readonly kind: "primes"; readonly session: SessionKey; readonly parameters: string }
  /**
   * answered by one event "computed", and by one more for each round whose checks were done on other threads, unless the
   * session is dropped before
   */
  | { readonly kind: "compute"; readonly session: SessionKey; readonly task: ComputeTask }
  /** presignings use this auxiliary info from now on (auxiliaryInfoCodec): the host may work ahead for them when idle */
  | { readonly kind: "prepare"; readonly auxiliary: Secret<Uint8Array> }
  /** the host forgets the session and all its secrets */
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** an operator is to know at once */
  | { readonly kind: "alarm"; readonly alarm: StoreRolledBack }
  /** written to the caller's stream */
  | { readonly kind: "report"; readonly call: CallId; readonly report: SessionReport };
