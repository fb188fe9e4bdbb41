import type { SessionKey } from "@conclave/cluster";

/** What goes to a worker. Tasks travel as canonical bytes (cluster/compute/wire.ts); tasks are done in order. */
export type ToWorker =
  | { readonly kind: "task"; readonly session: SessionKey; readonly task: Uint8Array }
  | { readonly kind: "drop"; readonly session: SessionKey };

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
