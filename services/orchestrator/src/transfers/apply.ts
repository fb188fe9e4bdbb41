import {
  decideTransfer,
  fail,
  type Result,
  type Transfer,
  type TransferEvent,
  type TransferId,
} from "@conclave/custody";
import {
  type Connection,
  type Database,
  lockTransfer,
  recordEvents,
  updateTransfer,
} from "@conclave/platform";

/**
 * Moves a transfer on inside a transaction that holds its row: the new state, its events and their messages commit
 * together (INV-6).
 * @returns the transfer as it is now, or TransferStateInvalid / NonceConflict, which leave everything as it was
 */
export const applyTo = async (
  connection: Connection,
  transfer: Transfer,
  event: TransferEvent,
): Promise<Result<Transfer>> => {
  const decision = decideTransfer(transfer, event);
  if (!decision.ok) return decision;
  await updateTransfer(connection, decision.value.transfer);
  await recordEvents(connection, decision.value.events);
  return { ok: true, value: decision.value.transfer };
};

/** The same in a transaction of its own, on the row as it is then. */
export const apply = (database: Database, id: TransferId, event: TransferEvent): Promise<Result<Transfer>> =>
  database.transaction(async (connection) => {
    const transfer = await lockTransfer(connection, id);
    return transfer === undefined ? fail("TransferNotFound") : applyTo(connection, transfer, event);
  });

/** Tells why a transfer waits, once. */
export const noteReason = async (
  database: Database,
  transfer: Transfer,
  reason: string | undefined,
): Promise<void> => {
  if (transfer.status !== "Executing" || transfer.reason === reason) return;
  await apply(database, transfer.id, { kind: "Waiting", reason });
};

/**
 * Fails a transfer that has no signed bytes. Whether it has is looked at under its lock: a second delivery may have
 * had it signed and broadcast while this one asked the chain or the signers, and what it heard tells of that (INV-4).
 */
export const failUnsigned = (database: Database, id: TransferId, reason: string): Promise<void> =>
  database.transaction(async (connection) => {
    const transfer = await lockTransfer(connection, id);
    if (transfer === undefined || transfer.signedTransaction !== undefined) return;
    await applyTo(connection, transfer, { kind: "Failed", date: new Date().toISOString(), reason });
  });
