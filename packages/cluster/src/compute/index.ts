// The costly computations alone, for a worker thread: without zod and the signer's state machine.
export { isIdle, prepareFor, workAhead, workBefore } from "./ahead.ts";
export { performCheck, takeJobs } from "./checks.ts";
export { type Cloneable, forClone, fromClone } from "./clone.ts";
export { compute, openHost, resumeWith } from "./host.ts";
export { type ChecksPlace, type Computed, drop, type Host } from "./host-state.ts";
export type { PresigningPurpose } from "./presigning/task.ts";
export type { ObservedDigest } from "./signing/observed-digest.ts";
export * from "./task.ts";
