import type { AuthorisedAct } from "../authorisation/act.ts";
import type { ReadableContent } from "../authorisation/signature.ts";
import type { Result } from "../errors.ts";
import type { Effects } from "../policies/effects.ts";

/**
 * The protocol that signs: CGGMP24 signs a digest of 32 bytes, FROST a message. FROST-Taproot signs under the
 * tweaked key (BIP-341).
 */
export type SigningScheme = "CGGMP24" | "FROST-Ed25519" | "FROST-BIP340" | "FROST-Taproot";

/** The largest unsigned transaction, in bytes; EVM's are the largest (init code of 49152 bytes, EIP-3860). */
export const UNSIGNED_BYTES_MAX: number = 64 * 1024;
/** The largest number of signables of one transaction; Bitcoin transactions have the most, one for each input. */
export const SIGNABLES_MAX = 1_024;
/**
 * The largest number of signables of one session: a signer runs a protocol for each of them at the same time.
 * A transaction with more takes several sessions.
 */
export const SIGNABLES_PER_SESSION_MAX = 32;
/** A signer's exclusion of one transaction, in bytes: SIGNABLES_MAX outpoints of Bitcoin (36 bytes each) fit. */
export const EXCLUSION_BYTES_MAX: number = 37 * 1024;

/** One thing to sign, and the scheme that signs it. */
export interface Signable {
  readonly scheme: SigningScheme;
  /** for CGGMP24 the 32-byte digest that the reader computed from the whole content; for FROST the message */
  readonly bytes: Uint8Array;
  /**
   * only for FROST-Taproot: the root of the script tree that the key is tweaked with, 32 bytes; undefined for
   * an empty tree
   */
  readonly merkleRoot?: Uint8Array;
}

/** A signer's record of a transaction, by which it judges whether later ones may follow (INV-4). */
export interface TransactionClaim {
  /** as the family encodes it, opaque to all other code; at most EXCLUSION_BYTES_MAX */
  readonly exclusion: Uint8Array;
  /** the time from which the transaction cannot land, Unix milliseconds; undefined where its bytes hold no time */
  readonly deadlineMs: number | undefined;
}

/** Unsigned bytes as a family read them and compared them with the authorised act. */
export interface TransactionReading extends TransactionClaim {
  /** 1 to SIGNABLES_MAX; `attach` takes the signatures in this order */
  readonly signables: readonly Signable[];
  /** the most that the transaction can cost in fees, in the smallest unit of the native coin */
  readonly fee: bigint;
  /** the transaction's effects */
  readonly effects: Effects;
}

/** The reading of a content that is signed and not broadcast. */
export interface ContentReading {
  readonly signables: readonly Signable[];
  /** set for a transaction; undefined for a message or typed data, which exclude nothing */
  readonly transaction:
    | (TransactionClaim & { readonly network: string; readonly unsigned: Uint8Array })
    | undefined;
  /**
   * The address whose key alone can make the transaction valid, as its family spells it; absent where another
   * key may, as for an account that was handed over.
   */
  readonly signer?: string;
}

/** A signature as signers make it, in the format of its scheme. */
export type SchemeSignature =
  | { readonly scheme: "CGGMP24"; readonly r: bigint; readonly s: bigint; readonly recovery: 0 | 1 }
  | {
      readonly scheme: Exclude<SigningScheme, "CGGMP24">;
      /** 64 bytes */
      readonly bytes: Uint8Array;
    };

/**
 * How a signer reads the bytes that it is asked to sign, and decides which transactions may follow one
 * another (INV-3, INV-4). It is pure, and knows only the networks of the signer's own networks file.
 */
export interface SigningReader {
  /**
   * @param network as the authorised act names it
   * @param unsigned the whole unsigned transaction
   * @param act an act whose authority signature has been verified
   * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap;
   * families may have further refusals
   */
  readonly read: (network: string, unsigned: Uint8Array, act: AuthorisedAct) => Result<TransactionReading>;
  /**
   * Reads content that is signed and not broadcast; refuses as `read` does, and for the content, as by
   * TypedDataInvalid.
   */
  readonly readContent: (content: ReadableContent) => Result<ContentReading>;
  /**
   * Judges a message that an Ed25519 key is to sign as it is. Bytes that a chain of any family would accept
   * as a transaction must be read as one, or are refused.
   * @returns TransactionUnreadable
   */
  readonly judgeMessage: (message: Uint8Array) => Result<void>;
  /**
   * Whether at most one of two transactions can land, by the rules of their chain alone.
   * @param network of both transactions
   * @param earlier the exclusion of the transaction that was signed before
   * @param later the exclusion of the transaction that is to be signed now
   * @returns false on a network that is not enabled, and for exclusions that the family did not encode
   */
  readonly excludes: (network: string, earlier: Uint8Array, later: Uint8Array) => boolean;
  /**
   * Converts a record of version 0.1, which held only an account nonce: on an EVM network it excludes all
   * transactions with this nonce, and no others.
   */
  readonly exclusionOfNonce: (nonce: bigint) => Uint8Array;
}
