import type { AuthorisedAct, ReadableContent, Result } from "@conclave/custody";
import { type ImportSigner, importSignerIdOf, type PartyIndex, type PeerKeys } from "@conclave/threshold";

/** A member of the cluster, as the roster pins it. */
export interface RosterMember extends PeerKeys {
  /** such as "signer-1" */
  readonly id: string;
  /** to which import clients encrypt its shares, 34 bytes; absent when the roster is of before keys were imported */
  readonly importKey?: Uint8Array;
}

/** What a transaction turns out to be when this signer's own decoder reads it. */
export interface ReadTransaction {
  /** 32 bytes: what would be signed */
  readonly digest: Uint8Array;
  /** the account nonce, which makes two transactions of one request exclude each other (INV-4) */
  readonly nonce: bigint;
}

/** What a message, typed data or a transaction to sign turns out to be when this signer reads it. */
export interface ReadSignable {
  /** 32 bytes: what would be signed */
  readonly digest: Uint8Array;
  /** the account nonce of a transaction */
  readonly nonce: bigint | undefined;
}

export type Permission = "refused" | "allowed";

export interface SignerConfig {
  readonly self: PartyIndex;
  /** every signer, self included */
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  /** t: how many sign together */
  readonly threshold: number;
  /** name of the security level; stored material of another level is refused at start */
  readonly parameters: string;
  /** Ed25519 public key whose signature authorises requests, 32 bytes */
  readonly authorityKey: Uint8Array;
  /** whether this signer's operator lets clients bring keys; the authority alone does not decide it */
  readonly keyImport: Permission;
  /** whether this signer's operator lets keys leave: with t such signers, the authority can have any key */
  readonly keyExport: Permission;
  /**
   * Decodes an unsigned transaction and checks that it does exactly what was authorised, on an enabled network and
   * below its fee cap (INV-3). Pure; answers TransactionUnreadable, TransactionMismatch, NetworkNotEnabled or
   * FeeAboveCap otherwise.
   */
  readonly readTransaction: (
    network: string,
    unsigned: Uint8Array,
    authorised: AuthorisedAct,
  ) => Result<ReadTransaction>;
  /**
   * Reads what the authority authorised to be signed and not sent, and computes the digest from the whole of it
   * (INV-3). Pure; answers TypedDataInvalid, or as `readTransaction`.
   */
  readonly readContent: (content: ReadableContent) => Result<ReadSignable>;
}

/** The signers as import clients know them; undefined when the roster has no keys for them. */
export const importSignersOf = (config: SignerConfig): readonly ImportSigner[] | undefined => {
  const signers = [...config.roster].flatMap(([party, { importKey }]) =>
    importKey === undefined ? [] : [{ party, signerId: importSignerIdOf(importKey) }],
  );
  return signers.length === config.roster.size ? signers : undefined;
};

/** All parties of the roster, ascending. */
export const allParties = (config: SignerConfig): readonly PartyIndex[] =>
  [...config.roster.keys()].sort((a, b) => a - b);
