import type { SessionKey } from "@conclave/cluster";
import type {
  ChecksPlace,
  Cloneable,
  ComputeResult,
  ComputeTask,
  HostConfig,
} from "@conclave/cluster/compute";
import type { Secret } from "@conclave/threshold";

/** "live" for work that a caller waits for; it comes before "background" work, which fills the presignature pool. */
export type Urgency = "live" | "background";

/** Work of a session for a worker. Tasks of the session's own worker are done in order. */
export type Work =
  | {
      readonly kind: "task";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      readonly task: ComputeTask;
    }
  /** a check of one peer's messages; any worker can do it, as it needs no secret of the session */
  | {
      readonly kind: "check";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      /** position among the session's checks */
      readonly at: number;
      readonly job: Uint8Array;
      /** auxiliaryInfoCodec, if the session was opened with auxiliary information, which is no secret from any worker */
      readonly auxiliary: Secret<Uint8Array> | undefined;
    }
  /** the results of the session's checks, in their order, with the plaintexts that the checks decrypted */
  | {
      readonly kind: "verdicts";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      readonly verdicts: readonly Uint8Array[];
    };

/** A message to a worker. */
export type ToWorker =
  | Work
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** auxiliaryInfoCodec: the auxiliary information to precompute for in idle time */
  | { readonly kind: "prepare"; readonly auxiliary: Secret<Uint8Array> };

/** A message from a worker: one answer for each piece of work. */
export type FromWorker =
  | {
      readonly kind: "result";
      readonly session: SessionKey;
      readonly result: ComputeResult;
      /** checks whose verdicts the session waits for */
      readonly jobs: readonly Uint8Array[];
    }
  | {
      readonly kind: "verdict";
      readonly session: SessionKey;
      readonly at: number;
      readonly verdict: Uint8Array;
    };

/** The start options of a worker. */
export interface WorkerStart {
  readonly host: HostConfig;
  /** "apart" if several workers share the checks of a round */
  readonly checks: ChecksPlace;
}

// The three messages as threads exchange them: each goes through `forClone` and `fromClone`.

/** Messages of one turn are sent together. */
export type SentToWorker = readonly Cloneable<ToWorker>[];
export type SentFromWorker = Cloneable<FromWorker>;
export type SentStart = Cloneable<WorkerStart>;
