import type { Envelope, PartyIndex, Presignature, Secret, Session, SessionConfig } from "@conclave/threshold";

/** A request that waits for its signature, or the pool of presignatures, which is in no hurry. */
export type PresigningPurpose = "request" | "pool";

export interface PresigningTask {
  readonly kind: "open-presigning";
  readonly purpose: PresigningPurpose;
  readonly signers: readonly PartyIndex[];
  /** keyShareCodec */
  readonly key: Secret<Uint8Array>;
  /** auxiliaryInfoCodec */
  readonly auxiliary: Secret<Uint8Array>;
}

/** The presignature that this session made goes to the pool; the host keeps nothing of it. */
export interface ExportPresignatureTask {
  readonly kind: "export-presignature";
}

/** The presignature itself stays with the host, until "export-presignature" asks for it. */
export interface PresignedResult {
  readonly kind: "presigned";
  readonly send: readonly Envelope[];
}

export interface PresignatureResult {
  readonly kind: "presignature";
  /** a hash of the session's id, 64 lower-case hex digits: nobody chooses it */
  readonly id: string;
  /** presignatureCodec */
  readonly presignature: Secret<Uint8Array>;
}

/** `held` waits for the online round. */
export interface RunningPresigning {
  readonly kind: "presign";
  readonly session: Session<Presignature>;
  readonly held: readonly Envelope[];
}

/** The presignature is there, and waits for its digest. */
export interface RunningPresigned {
  readonly kind: "presigned";
  readonly config: SessionConfig;
  readonly presignature: Presignature;
  readonly held: readonly Envelope[];
}
