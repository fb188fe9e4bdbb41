import type { AuthorisedAct } from "../authorisation/act.ts";
import type { ReadableContent } from "../authorisation/signature.ts";
import type { Result } from "../errors.ts";
import type { Effects } from "../policies/effects.ts";

/**
 * The signer: CGGMP24 signs a digest of 32 bytes, FROST a message. FROST-Taproot signs under the tweaked key
 * (BIP-341).
 */
export type SigningScheme = "CGGMP24" | "FROST-Ed25519" | "FROST-BIP340" | "FROST-Taproot";

/** An unsigned transaction, in bytes: of the families, EVM's are the largest (init code of 49152 bytes, EIP-3860). */
export const UNSIGNED_BYTES_MAX: number = 64 * 1024;
/** Things of one transaction that are signed: inputs of Bitcoin are the most. */
export const SIGNABLES_MAX = 1_024;
/** Those of them that one signing session signs: a signer runs a protocol for each at once. A transaction of more takes several sessions. */
export const SIGNABLES_PER_SESSION_MAX = 32;
/** A signer's record of one transaction, in bytes: SIGNABLES_MAX outpoints of Bitcoin (36 bytes each) fit. */
export const EXCLUSION_BYTES_MAX: number = 37 * 1024;

/** One thing to sign, and the scheme that signs it. */
export interface Signable {
  readonly scheme: SigningScheme;
  /** for CGGMP24 the 32-byte digest that the reader computed from the whole; for FROST the message */
  readonly bytes: Uint8Array;
  /** of FROST-Taproot alone: the root of the script tree that the key is tweaked with, 32 bytes; undefined for an empty tree */
  readonly merkleRoot?: Uint8Array;
}

/** The record of a transaction, by which later ones are judged: may they follow it? (INV-4) */
export interface TransactionClaim {
  /** as the family writes it; at most EXCLUSION_BYTES_MAX, and nobody but the family reads it */
  readonly exclusion: Uint8Array;
  /** from when on the transaction cannot land, Unix milliseconds; undefined where its bytes hold no time */
  readonly deadlineMs: number | undefined;
}

/** The reading of unsigned bytes, once a family has read them against what was authorised. */
export interface TransactionReading extends TransactionClaim {
  /** 1 to SIGNABLES_MAX; `attach` takes the signatures in this order */
  readonly signables: readonly Signable[];
  /** the most that the transaction can cost in fees, in the smallest unit of the native coin */
  readonly fee: bigint;
  /** the transaction's effects */
  readonly effects: Effects;
}

/** The reading of a content that is signed and not sent. */
export interface ContentReading {
  readonly signables: readonly Signable[];
  /** when it is a transaction; undefined for a message or typed data, which exclude nothing */
  readonly transaction:
    | (TransactionClaim & { readonly network: string; readonly unsigned: Uint8Array })
    | undefined;
  /**
   * The address whose key alone can make a transaction valid, as its family spells it; absent where the key of another may, as of
   * an account that was handed over.
   */
  readonly signer?: string;
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
 * How a signer reads what it is asked to sign, and tells which transactions may follow one another (INV-3, INV-4). It is
 * pure, and knows the networks of the signer's own networks file alone.
 */
export interface SigningReader {
  /**
   * @param network as the authorised act names it
   * @param unsigned the whole unsigned transaction
   * @param act of which the authority's signature has been verified
   * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap; families may
   *   have further refusals
   */
  readonly read: (network: string, unsigned: Uint8Array, act: AuthorisedAct) => Result<TransactionReading>;
  /** Reads what is signed and not sent; refusals as of `read`, and those of the content, such as TypedDataInvalid. */
  readonly readContent: (content: ReadableContent) => Result<ContentReading>;
  /**
   * Judges what an Ed25519 key shall sign as it is: bytes that a chain of any family takes for a transaction are read as one,
   * or not signed.
   * @returns TransactionUnreadable
   */
  readonly judgeMessage: (message: Uint8Array) => Result<void>;
  /**
   * Whether at most one of two transactions can land, by the rules of their chain alone.
   * @param network of both
   * @param earlier the exclusion of what was signed before
   * @param later the exclusion of what is to be signed now
   * @returns false on a network that is not enabled, and for exclusions that the family did not write
   */
  readonly excludes: (network: string, earlier: Uint8Array, later: Uint8Array) => boolean;
  /**
   * The meaning of a record of version 0.1, which kept an account nonce and nothing more: on an EVM network it
   * excludes every transaction with this nonce, and no other.
   */
  readonly exclusionOfNonce: (nonce: bigint) => Uint8Array;
}
