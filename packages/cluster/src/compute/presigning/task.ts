import type { Envelope, PartyIndex, Presignature, Secret, Session, SessionConfig } from "@conclave/threshold";

/** A presigning is either for a request that waits for its signature, or for the pool, where nobody waits. */
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

/** Exports the presignature that this session made to the pool; the host keeps no copy. */
export interface ExportPresignatureTask {
  readonly kind: "export-presignature";
}

/** The presigning is done. The presignature itself stays with the host, until "export-presignature" asks for it. */
export interface PresignedResult {
  readonly kind: "presigned";
  readonly send: readonly Envelope[];
}

export interface PresignatureResult {
  readonly kind: "presignature";
  /** a hash of the session's id, so that nobody can choose it; 64 lower-case hex digits */
  readonly id: string;
  /** presignatureCodec */
  readonly presignature: Secret<Uint8Array>;
}

/** A session that presigns. `held` has partial signatures that wait for the online round. */
export interface RunningPresigning {
  readonly kind: "presign";
  readonly session: Session<Presignature>;
  readonly held: readonly Envelope[];
}

/** A session whose presignature is made and waits for its digest. */
export interface RunningPresigned {
  readonly kind: "presigned";
  readonly config: SessionConfig;
  readonly presignature: Presignature;
  readonly held: readonly Envelope[];
}
