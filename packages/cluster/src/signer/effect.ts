import type { Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeTask } from "../compute/task.ts";
import type { SessionReport } from "../control/report.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";
import type { StoreRolledBack } from "./older-store/spending-counts.ts";

/**
 * The effects that a signer asks for, in order. The shell carries out one after another, over all events, and begins
 * none before the earlier ones are done: with a `store` before a `send`, the record is durable before the message is
 * visible (INV-2). A `send` is done once it is queued for its peer, a `compute` once it is queued for the host, a
 * `store` once synced.
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
   * one atomic write: after a crash all of it is there, or nothing. With `sync` it is durable when done, as are all
   * earlier writes; without, a power failure may lose it, but only together with all later writes. Shredding a group of
   * records destroys the key under which an older version sealed them. A record of the past has the time from which
   * "forget" may remove it, and its previous such time
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
   * removes records that may be forgotten at this time, Unix milliseconds, in slices and independently of other
   * effects: no effect waits for it, no slice is synced, and a lost slice is removed next time
   */
  | { readonly kind: "forget"; readonly untilMs: number }
  /** to one peer; a broadcast is one effect for each receiver */
  | { readonly kind: "send"; readonly to: PartyIndex; readonly envelope: Envelope }
  /** requests fresh primes for auxiliary generation; answered by the event "primes" */
  | { readonly kind: "primes"; readonly session: SessionKey; readonly parameters: string }
  /**
   * answered by one event "computed", and by one more for each round whose checks other threads did, unless the session
   * is dropped before
   */
  | { readonly kind: "compute"; readonly session: SessionKey; readonly task: ComputeTask }
  /** presignings use this auxiliary info from now on (auxiliaryInfoCodec): the host may make masks for them when idle */
  | { readonly kind: "prepare"; readonly auxiliary: Secret<Uint8Array> }
  /** the host forgets the session and all its secrets */
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** alerts an operator */
  | { readonly kind: "alarm"; readonly alarm: StoreRolledBack }
  /** sent on the caller's stream */
  | { readonly kind: "report"; readonly call: CallId; readonly report: SessionReport };
