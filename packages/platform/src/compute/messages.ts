import type { SessionKey } from "@conclave/cluster";

/** What somebody waits for comes before what is made to be in stock. */
export type Urgency = "live" | "background";

/** What goes to a worker, as a list of what came up together. Tasks travel as canonical bytes (cluster/compute/wire.ts); those of a session are done in order. */
export type ToWorker =
  | {
      readonly kind: "task";
      readonly session: SessionKey;
      readonly urgency: Urgency;
      readonly task: Uint8Array;
    }
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** auxiliaryInfoCodec: what to work ahead for in idle time */
  | { readonly kind: "prepare"; readonly auxiliary: Uint8Array };

/** What comes back: one result for each task. */
export interface FromWorker {
  readonly session: SessionKey;
  readonly result: Uint8Array;
}

/** What a worker is started with. */
export interface WorkerStart {
  /** encodeHostConfig */
  readonly host: Uint8Array;
}
