import {
  type ActiveKey,
  type CreatingKey,
  fail,
  type Key,
  type KeyId,
  ok,
  type Result,
} from "@conclave/custody";
import { type Connection, dueKey, enqueue, insertKey, insertKeyImport, readKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { hearSettlement } from "../settlement.ts";

/** The client's envelopes of an imported key: one for each signer of the roster, ordered by index. */
export type BroughtShares = readonly Uint8Array[];

/** Inserts a key that the signers are to generate or import, and makes it due, in one transaction. */
export const insertKeyRequest = async (
  connection: Connection,
  key: CreatingKey,
  brought: BroughtShares | undefined,
): Promise<void> => {
  await insertKey(connection, key);
  if (brought !== undefined) await insertKeyImport(connection, key.id, brought);
  await enqueue(connection, dueKey(key));
};

/**
 * Has the signers generate a key, or import a client's, and waits for them.
 * @returns the active key; the signers' problem; RequestInProgress when it takes longer than callers wait
 */
export const requestKey = async (
  { database, bus, settlementWaitMs, stopping, world }: Dependencies,
  key: CreatingKey,
  brought?: BroughtShares,
): Promise<Result<ActiveKey>> => {
  const settlement = hearSettlement({ bus, stopping, world }, key.id);
  try {
    await database.transaction((connection) => insertKeyRequest(connection, key, brought));
    const made = await settlement.until(
      settlementWaitMs,
      () => readKey(database, key.id),
      (row) => row?.status !== "Creating",
    );
    return made === "away" ? fail("RequestInProgress", { keyId: key.id }) : outcomeOf(made, key.id);
  } finally {
    settlement.stop();
  }
};

const outcomeOf = (key: Key | undefined, keyId: KeyId): Result<ActiveKey> => {
  switch (key?.status) {
    case undefined:
    case "Archived":
      return fail("KeyNotFound", { keyId });
    case "Active":
      return ok(key);
    case "Failed":
      return { ok: false, problem: key.problem };
    case "Creating":
      return fail("RequestInProgress", { keyId });
  }
};
