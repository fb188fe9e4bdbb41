import { z } from "zod";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { FamilyTable } from "../families/rules.ts";
import { eventFields, eventMemo, fungible, fungibleFields, movementFields } from "../families/view-fields.ts";
import { tokenEventSchemas } from "../families/views.ts";
import type { AddressWatchId, WalletId } from "../identifiers.ts";
import { type Asset, familyOf, type Network } from "../network.ts";

/** A confirmed transfer out of a wallet or a watched address, or into it. */
export interface HistoryEntry {
  /** id of a transfer, of a deposit, or of a movement at a watched address */
  readonly id: string;
  readonly direction: "In" | "Out";
  readonly network: Network;
  /** the sender's address; absent where the chain names no sender */
  readonly from: string | undefined;
  readonly requestBody: TransferBody;
  readonly asset: Asset;
  readonly txHash: string;
  /**
   * identifies a movement that was read from a block among those of its transaction; undefined for a transfer,
   * the only one of its transaction
   */
  readonly place: string | undefined;
  readonly blockNumber: bigint;
  /** the fee that the sender paid, in the smallest unit of the native coin */
  readonly fee: string | undefined;
  /** ISO 8601 UTC: date of the block; when the transfer counted as confirmed, where the node gives no date */
  readonly dateConfirmed: string;
}

/** The events of a history (wire interface, section F.8). @param owner the field that names whose history it is */
const entrySchemas = <Owner extends z.ZodRawShape>(owner: Owner) =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("NativeTransfer"),
      ...owner,
      ...movementFields,
      ...fungibleFields,
      ...eventMemo,
    }),
    /**
     * Of coins, which move from several outputs to several. The view names only the sender and recipient of the
     * wallet's own transfer.
     */
    z.object({
      kind: z.literal("UtxoTransfer"),
      ...owner,
      ...eventFields,
      froms: z.array(z.string()).max(1).readonly(),
      tos: z.array(z.string()).max(1).readonly(),
      value: z.string(),
    }),
    ...tokenEventSchemas(owner),
  ]);

/** An event of a wallet's history. */
export const historyEntryViewSchema = entrySchemas({ walletId: z.string() });
export type HistoryEntryView = z.infer<typeof historyEntryViewSchema>;

/** An event of the history of a watched address. */
export const watchedMovementViewSchema = entrySchemas({ addressWatchId: z.string() });
export type WatchedMovementView = z.infer<typeof watchedMovementViewSchema>;

const anybodysSchema = entrySchemas({});

const spendsCoins = (families: FamilyTable, network: Network): boolean =>
  families.find(familyOf(network))?.spendsCoins === true;

/**
 * The kind of transfer behind a kind of event, for a search.
 * @param eventKind such as "Erc20Transfer"
 * @returns a kind that matches no transfer, where the network has no such events
 */
export const transferKindOfEvent = (families: FamilyTable, network: Network, eventKind: string): string => {
  const native = spendsCoins(families, network) ? "UtxoTransfer" : "NativeTransfer";
  if (eventKind === native) return "Native";
  return eventKind === "NativeTransfer" ? eventKind : eventKind.replace(/Transfer$/, "");
};

/** Shows an entry in its wallet's history; undefined for kinds of transfer that this service does not support. */
export const historyEntryView = (
  families: FamilyTable,
  walletId: WalletId,
  entry: HistoryEntry,
): HistoryEntryView | undefined => {
  const shown = entryView(families, entry);
  return shown && { walletId, ...shown };
};

/** Shows an entry in the history of a watched address; undefined for kinds of transfer that this service does not support. */
export const watchedMovementView = (
  families: FamilyTable,
  addressWatchId: AddressWatchId,
  entry: HistoryEntry,
): WatchedMovementView | undefined => {
  const shown = entryView(families, entry);
  return shown && { addressWatchId, ...shown };
};

const entryView = (
  families: FamilyTable,
  entry: HistoryEntry,
): z.infer<typeof anybodysSchema> | undefined => {
  const { direction, network, from, requestBody: body, asset, fee } = entry;
  const isPayer = direction === "Out" && fee !== undefined;
  const common = {
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
