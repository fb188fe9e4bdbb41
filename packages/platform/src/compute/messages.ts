import type { SessionKey } from "@conclave/cluster";
import type { ChecksPlace } from "@conclave/cluster/compute";

/** What somebody waits for comes before what is made to be in stock. */
export type Urgency = "live" | "background";

/** What a worker does of a session, one piece after the other. Those that go to the session's own worker are done in order. */
export type Work =
  /** canonical bytes (cluster/compute/wire.ts) */
  | {
      readonly kind: "task";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      readonly task: Uint8Array;
    }
  /** one of the jobs of a session, which may live elsewhere: what peers said, and nothing that only that worker knows */
  | {
      readonly kind: "check";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      /** its place among the jobs */
      readonly at: number;
      readonly job: Uint8Array;
      /** auxiliaryInfoCodec, which the session was opened with, if any: every worker may know it */
      readonly auxiliary: Uint8Array | undefined;
    }
  /** what the session's checks came to, in the order of its jobs; with the plaintexts that they opened */
  | {
      readonly kind: "verdicts";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      readonly verdicts: readonly Uint8Array[];
    };

/** What goes to a worker, as a list of what came up together. */
export type ToWorker =
  | Work
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** auxiliaryInfoCodec: what to work ahead for in idle time */
  | { readonly kind: "prepare"; readonly auxiliary: Uint8Array };

/** What comes back: one answer for each piece of work. */
export type FromWorker =
  | {
      readonly kind: "result";
      readonly session: SessionKey;
      readonly result: Uint8Array;
      /** for whose verdicts the session has stopped */
      readonly jobs: readonly Uint8Array[];
    }
  | {
      readonly kind: "verdict";
      readonly session: SessionKey;
      readonly at: number;
      readonly verdict: Uint8Array;
    };

/** What a worker is started with. */
export interface WorkerStart {
  /** encodeHostConfig */
  readonly host: Uint8Array;
  /** "apart" where there are other workers to share the checks of a round with */
  readonly checks: ChecksPlace;
}
