import type { AlgodAddress } from "../address.ts";
import type { MsgpackMap } from "../msgpack.ts";

export interface AlgodPayment {
  readonly kind: "payment";
  readonly receiver: AlgodAddress;
  /** microalgos */
  readonly amount: bigint;
  /** receives the remaining balance; the account is closed */
  readonly closeTo: AlgodAddress | undefined;
}

export interface AlgodAssetTransfer {
  readonly kind: "asset-transfer";
  readonly assetId: bigint;
  /** smallest units of the asset */
  readonly amount: bigint;
  readonly receiver: AlgodAddress;
  /** the account whose units are taken, if the sender is the asset's clawback address */
  readonly clawedFrom: AlgodAddress | undefined;
  /** receives the remaining units; the holding is closed */
  readonly closeTo: AlgodAddress | undefined;
}

export interface AlgodAssetConfiguration {
  readonly kind: "asset-configuration";
  /** 0 creates an asset */
  readonly assetId: bigint;
  /** undefined destroys the asset */
  readonly parameters: AlgodAssetParameters | undefined;
}

export interface AlgodAssetFreeze {
  readonly kind: "asset-freeze";
  readonly assetId: bigint;
  readonly account: AlgodAddress;
  readonly frozen: boolean;
}

/** A transaction of a type of Algorand that this ledger does not implement. */
export interface AlgodNotSimulated {
  readonly kind: "not-simulated";
  readonly type: string;
}

export type AlgodAct =
  | AlgodPayment
  | AlgodAssetTransfer
  | AlgodAssetConfiguration
  | AlgodAssetFreeze
  | AlgodNotSimulated;

export interface AlgodAssetParameters {
  readonly total: bigint;
  readonly decimals: number;
  readonly defaultFrozen: boolean;
  readonly unitName: string;
  readonly name: string;
  readonly url: string;
  readonly metadataHash: Uint8Array | undefined;
  readonly manager: AlgodAddress | undefined;
  readonly reserve: AlgodAddress | undefined;
  readonly freeze: AlgodAddress | undefined;
  readonly clawback: AlgodAddress | undefined;
}

export interface AlgodTransaction {
  readonly sender: AlgodAddress;
  /** microalgos */
  readonly fee: bigint;
  /** rounds, both included */
  readonly firstValid: bigint;
  readonly lastValid: bigint;
  readonly note: Uint8Array;
  readonly genesisId: string;
  readonly genesisHash: Uint8Array | undefined;
  readonly group: Uint8Array | undefined;
  /** hexadecimal, for comparison */
  readonly lease: string | undefined;
  readonly rekeyTo: AlgodAddress | undefined;
  readonly act: AlgodAct;
}

/** A signed transaction in its received form, with its decoded content. */
export interface AlgodSubmission {
  /** SHA-512/256 of "TX" and the transaction, in base32 */
  readonly id: string;
  readonly transaction: AlgodTransaction;
  readonly signature: Uint8Array | undefined;
  /** the address whose key signed, if it differs from the sender */
  readonly signer: AlgodAddress | undefined;
  /** a kind of signature that this ledger cannot verify: msig, lsig or pqsig */
  readonly otherSignature: string | undefined;
  /** the raw fields of the transaction, and those of the signed transaction around it */
  readonly fields: MsgpackMap;
  readonly signedFields: MsgpackMap;
  /** size of the signed transaction in bytes */
  readonly size: number;
}
