import type { JavaTronAddress } from "../address.ts";

/** The act of a transaction: one contract of a type that this ledger implements. */
export type JavaTronAct =
  | { readonly type: "AccountCreateContract"; readonly account: JavaTronAddress }
  | { readonly type: "TransferContract"; readonly to: JavaTronAddress; readonly amount: bigint }
  | {
      readonly type: "TransferAssetContract";
      readonly to: JavaTronAddress;
      /** the asset's number, as digits */
      readonly assetId: string;
      readonly amount: bigint;
    }
  | { readonly type: "AssetIssueContract"; readonly asset: JavaTronAssetIssue }
  | {
      readonly type: "TriggerSmartContract";
      readonly contract: JavaTronAddress;
      readonly callValue: bigint;
      readonly data: Uint8Array;
    }
  | { readonly type: "CreateSmartContract"; readonly contract: JavaTronNewContract };

/** A TRC-10 asset as its issuer describes it. */
export interface JavaTronAssetIssue {
  readonly name: Uint8Array;
  readonly abbreviation: Uint8Array;
  readonly totalSupply: bigint;
  readonly trxNumber: number;
  readonly number: number;
  readonly precision: number;
  /** milliseconds since 1970 */
  readonly startTime: number;
  readonly endTime: number;
  readonly description: Uint8Array;
  readonly url: Uint8Array;
  readonly freeNetLimit: bigint;
  readonly publicFreeNetLimit: bigint;
}

export interface JavaTronNewContract {
  readonly name: string;
  /** protocol.SmartContract.ABI */
  readonly abi: Uint8Array;
  readonly bytecode: Uint8Array;
  readonly callValue: bigint;
  readonly consumeUserPercent: number;
  readonly originEnergyLimit: bigint;
}

/** Content of protocol.Transaction.raw with exactly one contract. */
export interface JavaTronTransaction {
  readonly owner: JavaTronAddress;
  readonly act: JavaTronAct;
  readonly permissionId: number;
  /** the 2 lowest bytes of the reference block's number */
  readonly refBlockBytes: Uint8Array;
  /** 8 bytes of its id */
  readonly refBlockHash: Uint8Array;
  /** milliseconds since 1970 */
  readonly expiration: number;
  /** not checked by anything */
  readonly timestamp: bigint;
  readonly data: Uint8Array;
  /** sun */
  readonly feeLimit: bigint;
}

/** A submitted transaction with its signatures, decoded. */
export interface JavaTronSubmission {
  /** SHA-256 of raw_data, in hex */
  readonly id: string;
  readonly transaction: JavaTronTransaction;
  readonly rawData: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** size of the whole transaction in bytes */
  readonly size: number;
}
