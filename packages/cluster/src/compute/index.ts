// The heavy half alone, for a worker thread: no zod, no signer's brain.
export { isIdle, prepareFor, workAhead, workBefore } from "./ahead.ts";
export { type ChecksPlace, performCheck, takeJobs } from "./checks.ts";
export { type Computed, compute, drop, type Host, openHost, resumeWith } from "./host.ts";
export type { ObservedDigest } from "./observed-digest.ts";
export * from "./task.ts";
export {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "./wire.ts";
