export { type Computed, compute, drop, type Host, openHost } from "./compute/host.ts";
export * from "./compute/task.ts";
export {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "./compute/wire.ts";
export * from "./coordinator/effect.ts";
export * from "./coordinator/event.ts";
export type { ReadTransaction, RosterMember, SignerConfig } from "./signer/config.ts";
export * from "./signer/effect.ts";
export * from "./signer/event.ts";
export * from "./signer/limits.ts";
export type { StoredRecord } from "./signer/record.ts";
export { openSigner, type SignerStatus, signerStatus, stepSigner } from "./signer/signer.ts";
export type { SignerState, SignerStep } from "./signer/state.ts";
