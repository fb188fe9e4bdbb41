import type { Problem, SchemeSignature } from "@conclave/custody";
import type { Evidence, PartyIndex, ProvenFault, SessionId } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { SessionKey } from "../control/session-key.ts";

/** The effects that a coordinator asks for, in order. No effect waits for another. */
export type CoordinatorEffect<Result> =
  /** open a control stream; answered by events "report", or "lost" */
  | {
      readonly kind: "call";
      readonly signer: PartyIndex;
      readonly session: SessionId;
      readonly command: Command;
    }
  /** close that stream; no more of its reports are delivered */
  | { readonly kind: "cancel"; readonly signer: PartyIndex; readonly session: SessionKey }
  /** call ActivateKey or DiscardKey, of a newly generated key; answered by "key-state", "unanswered" or "refused" */
  | { readonly kind: "activate"; readonly signer: PartyIndex; readonly keyId: string }
  | { readonly kind: "discard"; readonly signer: PartyIndex; readonly keyId: string }
  /** show a certificate; answered by "switched", "unanswered" or "refused" */
  | {
      readonly kind: "switch";
      readonly signer: PartyIndex;
      /** a key's id, or AUXILIARY_SUBJECT */
      readonly keyId: string;
      readonly certificate: Uint8Array;
    }
  /** call DiscardPresignatures; no answer is awaited: presignatures that a lost call leaves are found as orphans later */
  | {
      readonly kind: "discard-presignatures";
      readonly signer: PartyIndex;
      readonly ids: readonly string[];
    }
  /** send a "tick" at this time; replaces the previous wake */
  | { readonly kind: "wake"; readonly atMs: number }
  /** a peer deviated, and the evidence proves it to anybody: to be recorded (INV-7) */
  | {
      readonly kind: "fault";
      readonly reporter: PartyIndex;
      readonly session: SessionKey;
      readonly evidence: Evidence;
      /** the verdict of `verifyFault` on the evidence */
      readonly verdict: ProvenFault;
    }
  /** a signer reports an earlier epoch of a key than others: show it the certificate */
  | { readonly kind: "behind"; readonly signer: PartyIndex; readonly keyId: string }
  /** a signer's stage, for progress displays */
  | { readonly kind: "progress"; readonly signer: PartyIndex; readonly stage: string }
  /** nothing runs until something changes; repeated only when the reason changes */
  | { readonly kind: "waiting"; readonly reason: string; readonly unavailable: readonly PartyIndex[] }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: Problem }
  /** the last effect of a coordinator: it takes no more events. Comes after `done` or `failed`, or after "stop" */
  | { readonly kind: "closed" };

export interface SigningResult {
  /** of all signables, in their order */
  readonly signatures: readonly SchemeSignature[];
  readonly quorum: readonly PartyIndex[];
  readonly session: SessionKey;
  /** number of sessions that were begun, this one included */
  readonly attempts: number;
  readonly path: SigningPath;
}

/** How the signatures were made: ECDSA with presignatures of the pool, or everything in one session. */
export type SigningPath =
  | { readonly kind: "pooled"; readonly presignatures: readonly string[] }
  | { readonly kind: "interactive" };

export interface PresigningResult {
  /** 64 lower-case hex digits */
  readonly id: string;
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
  /** Unix milliseconds: when the first of its signers will burn it */
  readonly expiresAtMs: number;
}

export interface KeyGenerationResult {
  readonly keyId: string;
  /** in the encoding of the key's scheme: 33 bytes, compressed, for ECDSA */
  readonly publicKey: Uint8Array;
}

export interface KeyExportResult {
  readonly keyId: string;
  /** compressed, or as RFC 8032 encodes it: the point whose shares these are, for Taproot the internal key */
  readonly publicKey: Uint8Array;
  /** the envelope of each signer that answered, at least t, by signer, ascending; all of one epoch */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
}

export interface KeyChangeResult {
  readonly keyId: string;
  /** the epoch that is active now */
  readonly epoch: number;
  /** signers that hold no share of it and need a reshare; usually none */
  readonly lacking: readonly PartyIndex[];
}

export interface AuxiliaryResult {
  readonly epoch: number;
  readonly digest: Uint8Array;
}
