export { type Computed, compute, drop, type Host, openHost } from "./compute/host.ts";
export type { ChosenDigest, ObservedDigest, SigningDigest } from "./compute/observed-digest.ts";
export * from "./compute/task.ts";
export {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "./compute/wire.ts";
export * from "./coordinator/auxiliary.ts";
export * from "./coordinator/effect.ts";
export * from "./coordinator/event.ts";
export type { Health, Standing } from "./coordinator/health.ts";
export {
  allot,
  inventoryOf,
  type Listings,
  orphansOf,
  type ReadyPresignature,
} from "./coordinator/inventory.ts";
export * from "./coordinator/key-change.ts";
export * from "./coordinator/key-export.ts";
export * from "./coordinator/key-generation.ts";
export * from "./coordinator/limits.ts";
export * from "./coordinator/message-signing.ts";
export * from "./coordinator/presigning.ts";
export type { Roster } from "./coordinator/quorum.ts";
export * from "./coordinator/signing.ts";
export * from "./coordinator/stock.ts";
export { attestKey } from "./signer/attest-key.ts";
export type {
  Permission,
  ReadSignable,
  ReadTransaction,
  RosterMember,
  SignerConfig,
} from "./signer/config.ts";
export * from "./signer/effect.ts";
export * from "./signer/event.ts";
export * from "./signer/limits.ts";
export type { Fate, PresignatureSet } from "./signer/pool.ts";
export {
  type ListedPresignature,
  listPresignatures,
  type PoolStatus,
  type SetStatus,
} from "./signer/pool-status.ts";
export type { StoredRecord } from "./signer/record.ts";
export { sessionKey } from "./signer/run-id.ts";
export {
  type NextShare,
  openSigner,
  publicKeyInfoOf,
  type SignerStatus,
  signerStatus,
  stepSigner,
} from "./signer/signer.ts";
export type { SignerState, SignerStep } from "./signer/state.ts";
