export { startAuxiliaryGeneration } from "./auxiliary/auxiliary.ts";
export { type AuxiliaryInfo, auxiliaryInfoCodec } from "./auxiliary/auxiliary-info.ts";
export type { AuxiliaryPrimes } from "./auxiliary/auxiliary-primes.ts";
export { publicAuxiliaryDigest } from "./auxiliary/public-auxiliary.ts";
export { EPOCH_BYTES, LIVES_BYTES, partiesMask } from "./blame/agreed-values.ts";
export {
  type Attempt,
  type AttemptProtocol,
  attemptSession,
  type IdentityRoster,
} from "./blame/attempt.ts";
export { cannotBeShown } from "./blame/cannot-be-shown.ts";
export { EVIDENCE_BYTES_MAX, type Evidence, evidenceCodec, evidenceOf } from "./blame/evidence.ts";
export type { ProvenFault, Verdict } from "./blame/verdict.ts";
export { verifyFault } from "./blame/verify-fault.ts";
export { checkResultCodec } from "./checks/check-result.ts";
export { performJob } from "./checks/job.ts";
export {
  boolean,
  type Codec,
  convert,
  countedList,
  type Decoded,
  decode,
  encode,
  fixedBytes,
  natural,
  struct,
  text,
  uint,
  variableBytes,
} from "./codec.ts";
export {
  type Curve,
  type CurveName,
  ED25519,
  type EdwardsPoint,
  type GroupPoint,
  type Point,
  SECP256K1,
} from "./curve.ts";
export { signEd25519, verifyEd25519 } from "./ed25519.ts";
export type { Entropy } from "./entropy.ts";
export { exportedScheme, sealExportedShare, type WireScheme } from "./export/export.ts";
export { type Accusation, PARTIES_MAX, type PartyIndex, partyCodec, partyIndex } from "./fault.ts";
export { MERKLE_ROOT_BYTES, taprootOutputKey, verifyBip340 } from "./frost/bip340-suites.ts";
export { startFrostSigning } from "./frost/frost-signing.ts";
export { FROST_MESSAGE_BYTES_MAX, type FrostSigningConfig } from "./frost/run.ts";
export { ORDER } from "./group.ts";
export {
  assignPositions,
  type ImportAssignment,
  type ImportEntry,
  type ImportSigner,
} from "./import/assignment.ts";
export { decodeBase64, encodeBase64 } from "./import/base64.ts";
export {
  importEncryptionKeyOf,
  parseEncryptionKey,
} from "./import/encryption-key.ts";
export { IMPORT_ENVELOPE_BYTES_MAX, importEphemeralKeyOf } from "./import/envelope.ts";
export { type ImportConfig, startImport } from "./import/import.ts";
export { importDecryptionKeyOf, importSignerIdOf } from "./import/import-identity.ts";
export {
  type AgreedField,
  type AgreedView,
  type EntryField,
  type EntryFlaw,
  type EntryFlawCode,
  type ImportRefusal,
  importRefusalCodec,
} from "./import/refusal.ts";
export {
  type ImportRequest,
  importedScheme,
  type RequestRefusal,
  readImportRequest,
} from "./import/request.ts";
export type { ImportOutcome } from "./import/run.ts";
export {
  holdersOfShare,
  inCurrentFormat,
  KEY_ID_BYTES_MAX,
  type KeyHolders,
  type KeyShare,
  keyShareCodec,
  type PublicKeyInfo,
  publicKeyInfoCodec,
} from "./keygen/key-share.ts";
export { type KeyGenerationConfig, startKeyGeneration } from "./keygen/keygen.ts";
export { type Parameters, PRODUCTION_PARAMETERS } from "./parameters.ts";
export {
  fillMaskStore,
  isFull,
  type MaskStore,
  masksHeld,
  openMaskStore,
  takeMasks,
} from "./presign/mask-store.ts";
export type { PresignMasks } from "./presign/masks.ts";
export { startPresigning } from "./presign/presign.ts";
export {
  holdsOwnShares,
  type NonceShares,
  type Presignature,
  type PublicNonceShares,
  presignatureCodec,
  presignatureId,
} from "./presign/presignature.ts";
export type { PresignConfig } from "./presign/run.ts";
export { publicKeyOf } from "./public-key.ts";
export { keyDigest, keyDigestOfShare } from "./redistribution/key-digest.ts";
export type { Redistributed } from "./redistribution/run.ts";
export { type RefreshConfig, startRefresh } from "./refresh/refresh.ts";
export { type ReshareConfig, startReshare } from "./reshare/reshare.ts";
export {
  CGGMP24,
  FROST_BIP340,
  FROST_ED25519,
  FROST_TAPROOT,
  type Scheme,
  type SchemeName,
  withScheme,
} from "./scheme.ts";
export { Secret } from "./secret.ts";
export { awaited } from "./session/awaited.ts";
export type { PartySecrets, PeerKeys, SessionConfig } from "./session/config.ts";
export {
  ENVELOPE_KIND,
  type Envelope,
  type EnvelopeHeader,
  envelopeCodec,
  isSignedBy,
  PAYLOAD_BYTES_MAX,
  SESSION_ID_BYTES,
  type SessionId,
} from "./session/envelope.ts";
export { mapOutput } from "./session/map-output.ts";
export { type Material, materialCodec, NO_MATERIAL } from "./session/material.ts";
export type { Fault, IgnoreReason, Outcome } from "./session/outcome.ts";
export { pendingChecks } from "./session/pending-checks.ts";
export type {
  CheckResult,
  Expectation,
  Inbox,
  Outgoing,
  PeerCheck,
  Round,
  Start,
  Step,
} from "./session/round.ts";
export { deliver, openSession, type Progress, resume, type Session } from "./session/session.ts";
export { type SessionFields, sessionId } from "./session/session-id.ts";
export {
  provesEquivocation,
  SIGNED_MESSAGES_MAX,
  type SignedHash,
  type SignedMessage,
  signedHash,
  signedMessagesCodec,
} from "./session/signed-message.ts";
export { lagrangeAtZero } from "./sharing/lagrange.ts";
export { SIGNING_ROUND } from "./sign/round1.ts";
export { DIGEST_BYTES, type SigningConfig, startSigning } from "./sign/sign.ts";
export type { Signature } from "./sign/signature.ts";
export { encodeField } from "./transcript.ts";
