import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { FamilyTable, MovementView } from "../families/rules.ts";
import type { WalletId } from "../identifiers.ts";
import { type Asset, familyOf, type Network } from "../network.ts";

/** A confirmed transfer between a wallet and somebody else, as the wallet sees it. */
export interface HistoryEntry {
  /** of a transfer, or of what came from outside */
  readonly id: string;
  readonly direction: "In" | "Out";
  readonly network: Network;
  /** the sender's address; absent where the chain names none */
  readonly from: string | undefined;
  readonly requestBody: TransferBody;
  readonly asset: Asset;
  readonly txHash: string;
  /** of what came from outside, among what its transaction brought to the wallet; a transfer is the only one of its transaction */
  readonly place: string | undefined;
  readonly blockNumber: bigint;
  /** the fee of the sender, in the smallest unit of the native coin */
  readonly fee: string | undefined;
  /** ISO 8601 UTC: when the chain made its block; where the node did not tell it, when the transfer counted as confirmed */
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
  /** tells movements of one transaction to the wallet apart; absent where there is but one */
  readonly index?: string;
  readonly timestamp: string;
  readonly metadata: { readonly asset: Asset; readonly fee?: Asset };
  readonly fee?: string;
  /** of kinds that may have one: a memo, or a destination tag */
  readonly memo?: string;
} & (OutputMovement | (Parties & (({ readonly kind: "NativeTransfer" } & Fungible) | MovementView)));

interface Parties {
  readonly from?: string;
  readonly to: string;
}

/** Of a coin that moves from several outputs to several; of both sides those are named that the wallet's own transfer is about. */
interface OutputMovement {
  readonly kind: "UtxoTransfer";
  readonly froms: readonly string[];
  readonly tos: readonly string[];
  readonly value: string;
}

const spendsCoins = (families: FamilyTable, network: Network): boolean =>
  families.find(familyOf(network))?.spendsCoins === true;

/**
 * The kind of transfer that events of a kind tell of, for a search.
 * @param eventKind such as "Erc20Transfer"
 * @returns a kind that no transfer has where the network has no such events
 */
export const transferKindOfEvent = (families: FamilyTable, network: Network, eventKind: string): string => {
  const native = spendsCoins(families, network) ? "UtxoTransfer" : "NativeTransfer";
  if (eventKind === native) return "Native";
  return eventKind === "NativeTransfer" ? eventKind : eventKind.replace(/Transfer$/, "");
};

/** Shows an entry in its wallet's history; undefined for kinds of transfer that this service does not carry out. */
export const historyEntryView = (
  families: FamilyTable,
  walletId: WalletId,
  entry: HistoryEntry,
): HistoryEntryView | undefined => {
  const { direction, network, from, requestBody: body, asset, fee } = entry;
  const isPayer = direction === "Out" && fee !== undefined;
  const common = {
    walletId,
    direction,
    network,
    blockNumber: Number(entry.blockNumber),
    txHash: entry.txHash,
    ...(entry.place === undefined ? {} : { index: entry.place }),
    timestamp: entry.dateConfirmed,
    metadata: {
      asset,
      ...(isPayer ? { fee: families.find(familyOf(network))?.nativeAsset(network) ?? {} } : {}),
    },
    ...(isPayer ? { fee } : {}),
  };
  if (body.kind === "Native" && spendsCoins(families, network)) {
    const froms = from === undefined ? [] : [from];
    return { kind: "UtxoTransfer", ...common, froms, tos: [body.to], value: body.amount };
  }
  const memo = "memo" in body && body.memo !== undefined ? { memo: body.memo } : {};
  const parties = { ...(from === undefined ? {} : { from }), to: body.to, ...memo };
  if (body.kind === "Native") {
    const named = {
      ...(asset.symbol === undefined ? {} : { symbol: asset.symbol }),
      ...(asset.decimals === undefined ? {} : { decimals: asset.decimals }),
    };
    return { kind: "NativeTransfer", ...common, ...parties, value: body.amount, ...named };
  }
  const moved = families.find(familyOf(network))?.showMovement(body, asset);
  return moved && { ...common, ...parties, ...moved };
};
