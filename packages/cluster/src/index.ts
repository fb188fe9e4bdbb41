export { compute, openHost } from "./compute/host.ts";
export { type Computed, drop, type Host } from "./compute/host-state.ts";
export type { PresigningPurpose } from "./compute/presigning/task.ts";
export type { ChosenDigest, ObservedDigest, SigningDigest } from "./compute/signing/observed-digest.ts";
export * from "./compute/task.ts";
export * from "./control/cluster-name.ts";
export * from "./control/command.ts";
export * from "./control/epoch-certificate.ts";
export { handoverBytes } from "./control/epoch-handover.ts";
export * from "./control/epoch-waiver.ts";
export { isLife, LIFE_BYTES, type Lives, shownLife } from "./control/lives.ts";
export * from "./control/pending-epoch.ts";
export * from "./control/report.ts";
export * from "./control/roster-member.ts";
export * from "./control/session-key.ts";
export * from "./coordinator/auxiliary/agreement.ts";
export * from "./coordinator/auxiliary/auxiliary.ts";
export { type CertifiedEpoch, type HeldEpoch, latestCertified } from "./coordinator/certified.ts";
export * from "./coordinator/effect.ts";
export * from "./coordinator/event.ts";
export * from "./coordinator/key-change/key-change.ts";
export * from "./coordinator/key-change/key-committee.ts";
export * from "./coordinator/key-export/key-export.ts";
export * from "./coordinator/key-generation/key-generation.ts";
export { slownessOf } from "./coordinator/latency.ts";
export * from "./coordinator/limits.ts";
export { type Demand, type WantedKey, wantedKeys, withUse } from "./coordinator/presigning/demand.ts";
export {
  inOrderOfUse,
  inventoryOf,
  type Listings,
  orphansOf,
  type ReadyPresignature,
  readyAsBefore,
} from "./coordinator/presigning/inventory.ts";
export * from "./coordinator/presigning/presigning.ts";
export * from "./coordinator/presigning/stock.ts";
export {
  FIRST_WINDOW,
  isWithinWindow,
  narrowed,
  type PresigningWindow,
  widened,
} from "./coordinator/presigning/window.ts";
export { isUnpreferred, type Members } from "./coordinator/quorum/choose.ts";
export { endsRequest } from "./coordinator/refusal.ts";
export * from "./coordinator/signing/signing.ts";
export type { Standing, Standings } from "./coordinator/standings.ts";
export {
  type Awaiter,
  type BlamedSigner,
  type CoordinationOutcome,
  type KnownSigners,
  type Machine,
  type MachineStep,
  type Observer,
  ownClockOf,
  runCoordinator,
  type WithStandings,
} from "./interpreter/coordination.ts";
export { SharedStandings } from "./interpreter/shared-standings.ts";
export { type RecordBatch, Shell, type SignerPorts } from "./interpreter/shell.ts";
export type { AnswerOfKey, KeyQuestion, NamedSession, SignerLink } from "./interpreter/signer-link.ts";
export type { OperatorChoice, SignerConfig } from "./signer/config.ts";
export * from "./signer/effect.ts";
export { certificateOf } from "./signer/epoch/switch-epoch.ts";
export * from "./signer/event.ts";
export type { PublicInfo } from "./signer/key-change/public-info.ts";
export { attestKey } from "./signer/key-generation/attest-key.ts";
export {
  KEYS_NAMED_MAX,
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeyPage,
  type KeysAsked,
  nothingHeld,
  readHeldKeys,
} from "./signer/key-holdings.ts";
export * from "./signer/limits.ts";
export { isStoreConfirmed, lostToMs } from "./signer/older-store/lost-time.ts";
export { spendingCountBytes } from "./signer/older-store/signed-count.ts";
export type { StoreRolledBack } from "./signer/older-store/spending-counts.ts";
export { type PresignatureFate, type PresignatureSet, setName } from "./signer/presigning/pool.ts";
export {
  type ListedPresignature,
  listPresignatures,
  type PoolStatus,
  type SetStatus,
} from "./signer/presigning/pool-status.ts";
export type { Quarantined } from "./signer/quarantine/quarantine.ts";
export { type FiledRecord, filed, HISTORY_PREFIXES, type ReadRecord } from "./signer/records/history.ts";
export { leftInStore } from "./signer/records/key-records.ts";
export { isEpochSecret, type StoredRecord, UnreadableRecord } from "./signer/records/record.ts";
export { type RecordEffect, UnwrittenRecords } from "./signer/records/unwritten.ts";
export {
  openSigner,
  publicKeyInfoOf,
  type SignerSummary,
  signerStatus,
  stepSigner,
} from "./signer/signer.ts";
export {
  type AskedForRequest,
  type SignedForRequest,
  signedForRequest,
} from "./signer/signing/signed-bytes.ts";
export type { SignerState, SignerStep } from "./signer/state.ts";
