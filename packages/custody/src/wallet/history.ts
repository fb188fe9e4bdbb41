import { z } from "zod";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { FamilyTable } from "../families/rules.ts";
import { eventFields, eventMemo, fungible, fungibleFields, movementFields } from "../families/view-fields.ts";
import { TOKEN_EVENT_SCHEMAS } from "../families/views.ts";
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

/** An event of a wallet's history (wire interface, section F.8). */
export const historyEntryViewSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("NativeTransfer"), ...movementFields, ...fungibleFields, ...eventMemo }),
  /** Of a coin that moves from several outputs to several; of both sides those are named that the wallet's own transfer is about. */
  z.object({
    kind: z.literal("UtxoTransfer"),
    ...eventFields,
    froms: z.array(z.string()).max(1).readonly(),
    tos: z.array(z.string()).max(1).readonly(),
    value: z.string(),
  }),
  ...TOKEN_EVENT_SCHEMAS,
]);
export type HistoryEntryView = z.infer<typeof historyEntryViewSchema>;

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
    return { kind: "NativeTransfer", ...common, ...parties, ...fungible(body.amount, asset) };
  }
  const moved = families.find(familyOf(network))?.showMovement(body, asset);
  return moved && { ...common, ...parties, ...moved };
};
