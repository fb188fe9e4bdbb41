import type { Problem, SchemeSignature } from "@conclave/custody";
import type { Evidence, PartyIndex, ProvenFault, SessionId } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { SessionKey } from "../control/session-key.ts";

/** The effects that a coordinator asks for, in order. None waits for another. */
export type CoordinatorEffect<Result> =
  /** open a control stream; answered by events "report", or "lost" */
  | {
      readonly kind: "call";
      readonly signer: PartyIndex;
      readonly session: SessionId;
      readonly command: Command;
    }
  /** close that stream; nothing more is heard of it */
  | { readonly kind: "cancel"; readonly signer: PartyIndex; readonly session: SessionKey }
  /** ask for ActivateKey or DiscardKey, of the key as it was generated; answered by "key-state", "unanswered" or "refused" */
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
  /** ask for DiscardPresignatures; no answer is waited for, what is lost is found as an orphan later */
  | {
      readonly kind: "discard-presignatures";
      readonly signer: PartyIndex;
      readonly ids: readonly string[];
    }
  /** send a "tick" at this time; replaces the wake before */
  | { readonly kind: "wake"; readonly atMs: number }
  /** a peer deviated, and the evidence proves it to anybody: for the record (INV-7) */
  | {
      readonly kind: "fault";
      readonly reporter: PartyIndex;
      readonly session: SessionKey;
      readonly evidence: Evidence;
      /** the conclusion that anybody draws from it: verifyFault */
      readonly verdict: ProvenFault;
    }
  /** a signer works in an earlier epoch of a key than others, as they say: it should be shown what brings it on */
  | { readonly kind: "behind"; readonly signer: PartyIndex; readonly keyId: string }
  /** a signer's stage, for progress displays */
  | { readonly kind: "progress"; readonly signer: PartyIndex; readonly stage: string }
  /** nothing runs until something changes; said again only when the reason changes */
  | { readonly kind: "waiting"; readonly reason: string; readonly unavailable: readonly PartyIndex[] }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: Problem }
  /** the last effect of a coordinator: it wants no more events. Comes after `done` or `failed`, or after "stop" */
  | { readonly kind: "closed" };

export interface SigningResult {
  /** in the order of the signables: all of them */
  readonly signatures: readonly SchemeSignature[];
  readonly quorum: readonly PartyIndex[];
  readonly session: SessionKey;
  /** sessions that were begun, this one included */
  readonly attempts: number;
  readonly path: SigningPath;
}

/** How signatures came about: ECDSA with presignatures of the pool, or all of it in the same session. */
export type SigningPath =
  | { readonly kind: "pooled"; readonly presignatures: readonly string[] }
  | { readonly kind: "interactive" };

export interface PresigningResult {
  /** 64 lower-case hex digits */
  readonly id: string;
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
  /** when the first of its signers will burn it, Unix milliseconds */
  readonly expiresAtMs: number;
}

export interface KeyGenerationResult {
  readonly keyId: string;
  /** as the key's scheme writes it: 33 bytes, compressed, for ECDSA */
  readonly publicKey: Uint8Array;
}

export interface KeyExportResult {
  readonly keyId: string;
  /** compressed, or as RFC 8032 writes it: the point that t of the shares are of, for Taproot the internal key */
  readonly publicKey: Uint8Array;
  /** the envelope of each signer that answered, at least t of them, by signer, ascending; all of one epoch */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
}

export interface KeyChangeResult {
  readonly keyId: string;
  /** the one that is active now */
  readonly epoch: number;
  /** signers that turned out to hold no share of it: they need a reshare. As a rule none */
  readonly lacking: readonly PartyIndex[];
}

export interface AuxiliaryResult {
  readonly epoch: number;
  readonly digest: Uint8Array;
}
