import type { Problem, SignedAuthorisation } from "@conclave/custody";
import type { Fault, PartyIndex, SessionId, Signature } from "@conclave/threshold";
import type { SessionKey } from "../signer/event.ts";

/** A next epoch of a key: new shares for its holders, or shares dealt out anew to the whole roster. */
export type KeyChange =
  | { readonly kind: "key-refresh"; readonly authorisation: SignedAuthorisation }
  | {
      readonly kind: "key-reshare";
      readonly authorisation: SignedAuthorisation;
      /** exactly threshold holders, ascending */
      readonly dealers: readonly PartyIndex[];
      /** publicKeyInfoCodec of the key as it is */
      readonly info: Uint8Array;
    };

/** What is asked of one signer when a session begins: one control stream. */
export type BeginRequest =
  | { readonly kind: "auxiliary"; readonly epoch: number; readonly expiresAtMs: number }
  | { readonly kind: "key"; readonly authorisation: SignedAuthorisation; readonly expiresAtMs: number }
  | {
      readonly kind: "key-import";
      /** AuthorisedImport */
      readonly authorisation: SignedAuthorisation;
      /** the encrypted share of this signer */
      readonly envelope: Uint8Array;
      readonly expiresAtMs: number;
    }
  /** AuthorisedExport */
  | { readonly kind: "key-export"; readonly authorisation: SignedAuthorisation; readonly expiresAtMs: number }
  | (KeyChange & { readonly expiresAtMs: number })
  | {
      readonly kind: "signing";
      /** ascending */
      readonly quorum: readonly PartyIndex[];
      readonly keyId: string;
      readonly authorisation: SignedAuthorisation;
      readonly unsignedTransaction: Uint8Array;
      /** of the pool, for this key and exactly this quorum; absent for an interactive session */
      readonly presignature?: string;
      readonly expiresAtMs: number;
    }
  | {
      readonly kind: "message-signing";
      /** ascending */
      readonly quorum: readonly PartyIndex[];
      readonly keyId: string;
      /** the message stands in it */
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  | {
      readonly kind: "presigning";
      /** ascending */
      readonly quorum: readonly PartyIndex[];
      readonly keyId: string;
      readonly expiresAtMs: number;
    };

/** What a coordinator wants done, in order. None waits for another. */
export type CoordinatorEffect<Result> =
  /** open a control stream; answered by events "report", or "lost" */
  | {
      readonly kind: "call";
      readonly signer: PartyIndex;
      readonly session: SessionId;
      readonly request: BeginRequest;
    }
  /** close that stream; nothing more is heard of it */
  | { readonly kind: "cancel"; readonly signer: PartyIndex; readonly session: SessionKey }
  /** ask for ActivateKey or DiscardKey; answered by "key-state", "unanswered" or "refused" */
  | {
      readonly kind: "activate";
      readonly signer: PartyIndex;
      readonly keyId: string;
      /** absent: the key as it was generated */
      readonly epoch?: number;
    }
  | {
      readonly kind: "discard";
      readonly signer: PartyIndex;
      readonly keyId: string;
      /** AuthorisedKeyDiscard of a session's next share; absent: the key as it was generated */
      readonly authorisation?: SignedAuthorisation;
    }
  /** ask for DiscardPresignatures; no answer is waited for, what is lost is found as an orphan later */
  | {
      readonly kind: "discard-presignatures";
      readonly signer: PartyIndex;
      readonly ids: readonly string[];
    }
  /** send a "tick" at this time; replaces the wake before */
  | { readonly kind: "wake"; readonly atMs: number }
  /** a peer was blamed, with signed evidence: for the record (INV-7) */
  | {
      readonly kind: "fault";
      readonly reporter: PartyIndex;
      readonly session: SessionKey;
      readonly fault: Fault;
    }
  /** a signer's stage, for progress displays */
  | { readonly kind: "progress"; readonly signer: PartyIndex; readonly stage: string }
  /** nothing runs until something changes; said again only when the reason changes */
  | { readonly kind: "waiting"; readonly reason: string; readonly unavailable: readonly PartyIndex[] }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: Problem }
  /** the last effect of a coordinator: it wants no more events. Comes after `done` or `failed`, or after "stop" */
  | { readonly kind: "closed" };

export interface SigningResult<Signed = Signature> {
  readonly signature: Signed;
  readonly quorum: readonly PartyIndex[];
  readonly session: SessionKey;
  /** sessions that were begun, this one included */
  readonly attempts: number;
  readonly path: SigningPath;
}

/** How a signature came about: with a presignature of the pool, or with one made in the same session. */
export type SigningPath =
  | { readonly kind: "pooled"; readonly presignature: string }
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
