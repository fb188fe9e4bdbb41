import type { DomainEvent } from "../event.ts";
import type { FamilyTable } from "../families/rules.ts";
import {
  type AddressWatchId,
  eventIdSchema,
  idFrom,
  type WatchedMovementId,
  watchedMovementIdSchema,
} from "../identifiers.ts";
import type { Deposit } from "../wallet/deposit.ts";
import { type HistoryEntry, watchedMovementView } from "../wallet/history.ts";

/** A movement to a watched address or from it, by any transaction, in a final block. */
export interface WatchedMovement extends Omit<Deposit, "id" | "walletId"> {
  readonly id: WatchedMovementId;
  readonly addressWatchId: AddressWatchId;
  readonly direction: "In" | "Out";
}

/** The id of a movement. It derives from the movement, so that one that is read again gets the same id. */
export const watchedMovementIdOf = ({
  addressWatchId,
  network,
  txHash,
  place,
  direction,
}: Pick<
  WatchedMovement,
  "addressWatchId" | "network" | "txHash" | "place" | "direction"
>): WatchedMovementId =>
  idFrom(watchedMovementIdSchema, "awm", [addressWatchId, network, txHash, place, direction]);

const CONFIRMED = "address_watch.blockchain_event.transfer.confirmed";

/** A movement as an entry of its watch's history. Nobody knows the fee of others' transactions here. */
export const watchedEntry = (movement: WatchedMovement): HistoryEntry => ({
  id: movement.id,
  direction: movement.direction,
  network: movement.network,
  from: movement.from,
  requestBody: movement.moved,
  asset: movement.asset,
  txHash: movement.txHash,
  place: movement.place,
  blockNumber: movement.blockNumber,
  fee: undefined,
  dateConfirmed: movement.date,
});

/**
 * The event of a movement. Its shape is that of a deposit's, with the watch in place of the wallet.
 * @param seen ISO 8601 UTC: when the movement was seen in a final block
 * @returns undefined for a kind that histories do not show
 */
export const watchedMovementConfirmed = (
  families: FamilyTable,
  movement: Omit<WatchedMovement, "id">,
  seen: string,
): DomainEvent | undefined => {
  const id = watchedMovementIdOf(movement);
  const { addressWatchId, orgId } = movement;
  const shown = watchedMovementView(families, addressWatchId, watchedEntry({ ...movement, id }));
  if (shown === undefined) return undefined;
  return {
    id: idFrom(eventIdSchema, "evt", [id, CONFIRMED]),
    kind: CONFIRMED,
    orgId,
    entityId: addressWatchId,
    date: seen,
    data: { blockchainEvent: { ...shown, status: "Confirmed" } },
  };
};
