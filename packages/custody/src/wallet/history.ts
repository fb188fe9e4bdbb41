import type { TransferId, WalletId } from "../identifiers.ts";
import { type Asset, type Network, nativeAssetOf } from "../network.ts";
import type { TransferBody } from "../requests.ts";

/** A confirmed transfer between a wallet and somebody else, as the wallet sees it. */
export interface HistoryEntry {
  readonly id: TransferId;
  readonly direction: "In" | "Out";
  readonly network: Network;
  /** the sender's address */
  readonly from: string;
  readonly requestBody: TransferBody;
  readonly asset: Asset;
  readonly txHash: string;
  readonly blockNumber: bigint;
  /** what the sender paid, in the smallest unit of the native coin */
  readonly fee: string | undefined;
  /** ISO 8601 UTC: when the transfer counted as confirmed */
  readonly dateConfirmed: string;
}

interface Fungible {
  /** in the smallest unit, as digits */
  readonly value: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

/** An event of a wallet's history (wire interface, section F.8). */
export type HistoryEntryView = {
  readonly walletId: string;
  readonly direction: "In" | "Out";
  readonly network: string;
  readonly blockNumber: number;
  readonly txHash: string;
  readonly timestamp: string;
  readonly metadata: { readonly asset: Asset; readonly fee?: Asset };
  readonly from: string;
  readonly to: string;
  readonly fee?: string;
} & (
  | ({ readonly kind: "NativeTransfer" } & Fungible)
  | ({ readonly kind: "Erc20Transfer"; readonly contract: string } & Fungible)
  | { readonly kind: "Erc721Transfer"; readonly contract: string; readonly tokenId: string }
);

/** Shows an entry in its wallet's history; undefined for kinds of transfer that this service does not carry out. */
export const historyEntryView = (walletId: WalletId, entry: HistoryEntry): HistoryEntryView | undefined => {
  const { direction, network, from, requestBody: body, asset, fee } = entry;
  const isPayer = direction === "Out" && fee !== undefined;
  const common = {
    walletId,
    direction,
    network,
    blockNumber: Number(entry.blockNumber),
    txHash: entry.txHash,
    timestamp: entry.dateConfirmed,
    metadata: { asset, ...(isPayer ? { fee: nativeAssetOf(network) } : {}) },
    from,
    to: body.to,
    ...(isPayer ? { fee } : {}),
  };
  const named = {
    ...(asset.symbol === undefined ? {} : { symbol: asset.symbol }),
    ...(asset.decimals === undefined ? {} : { decimals: asset.decimals }),
  };
  switch (body.kind) {
    case "Native":
      return { kind: "NativeTransfer", ...common, value: body.amount, ...named };
    case "Erc20":
      return { kind: "Erc20Transfer", contract: body.contract, ...common, value: body.amount, ...named };
    case "Erc721":
      return { kind: "Erc721Transfer", contract: body.contract, tokenId: body.tokenId, ...common };
    case "Asa":
    case "Sep41":
    case "Trc10":
    case "Trc20":
    case "Trc721":
      return undefined;
  }
};
