import type { AuthorisedAct } from "../authorisation/act.ts";
import type { ReadableContent } from "../authorisation/signature.ts";
import type { Result } from "../errors.ts";
import type { Effects } from "../policies/effects.ts";

/** What signs: CGGMP24 signs a digest of 32 bytes, FROST a message. FROST-Taproot signs under the tweaked key (BIP-341). */
export type SigningScheme = "CGGMP24" | "FROST-Ed25519" | "FROST-BIP340" | "FROST-Taproot";

/** Things of one transaction that are signed. */
export const SIGNABLES_MAX = 32;
/** What a signer keeps of one transaction, in bytes: 32 outpoints of Bitcoin fit. */
export const EXCLUSION_BYTES_MAX: number = 2 * 1024;

/** One thing to sign, and the scheme that signs it. */
export interface Signable {
  readonly scheme: SigningScheme;
  /** for CGGMP24 the 32-byte digest that the reader computed from the whole; for FROST the message */
  readonly bytes: Uint8Array;
}

/** What is kept of a transaction, so that it can be told which others may follow it (INV-4). */
export interface TransactionClaim {
  /** as the family writes it; at most EXCLUSION_BYTES_MAX, and nobody but the family reads it */
  readonly exclusion: Uint8Array;
  /** from when on the transaction cannot land, Unix milliseconds; undefined where its bytes hold no time */
  readonly deadlineMs: number | undefined;
}

/** What unsigned bytes turn out to be, once a family has read them against what was authorised. */
export interface TransactionReading extends TransactionClaim {
  /** 1 to SIGNABLES_MAX; `attach` takes the signatures in this order */
  readonly signables: readonly Signable[];
  /** the most that the transaction can cost in fees, in the smallest unit of the native coin */
  readonly fee: bigint;
  /** what the transaction does */
  readonly effects: Effects;
}

/** What something that is signed and not sent turns out to be. */
export interface ContentReading {
  readonly signables: readonly Signable[];
  /** when it is a transaction; undefined for a message or typed data, which exclude nothing */
  readonly transaction:
    | (TransactionClaim & { readonly network: string; readonly unsigned: Uint8Array })
    | undefined;
}

/** A signature as signers make it, in the form of its scheme. */
export type SchemeSignature =
  | { readonly scheme: "CGGMP24"; readonly r: bigint; readonly s: bigint; readonly recovery: 0 | 1 }
  | {
      readonly scheme: Exclude<SigningScheme, "CGGMP24">;
      /** 64 bytes */
      readonly bytes: Uint8Array;
    };

/**
 * How a signer reads what it is asked to sign, on the networks of its own file. Pure.
 */
export interface SigningReader {
  /**
   * Reads unsigned bytes against what was authorised (INV-3).
   *
   * @returns TransactionUnreadable, TransactionMismatch, AuthorisationInvalid, NetworkNotEnabled or FeeAboveCap when
   *   they do not do exactly that
   */
  readonly read: (network: string, unsigned: Uint8Array, act: AuthorisedAct) => Result<TransactionReading>;
  /** Reads what is signed and not sent; answers TypedDataInvalid, or as `read`. */
  readonly readContent: (content: ReadableContent) => Result<ContentReading>;
  /** Whether a transaction of the network can land only if an earlier one cannot, by the protocol of its chain (INV-4). */
  readonly excludes: (network: string, earlier: Uint8Array, later: Uint8Array) => boolean;
  /** What the account nonce that a signer of version 0.1 kept of a request stands for. */
  readonly exclusionOfNonce: (nonce: bigint) => Uint8Array;
}
