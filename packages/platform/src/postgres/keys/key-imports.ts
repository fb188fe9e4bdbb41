import type { KeyId } from "@conclave/custody";
import { z } from "zod";
import { bytes } from "../columns.ts";
import type { Connection } from "../database.ts";

const rowSchema = z.object({ envelopes: z.array(bytes) }).transform(({ envelopes }) => envelopes);

/**
 * Stores the shares that a client encrypted for the signers, until the import is settled.
 * @param envelopes one for every signer of the roster, by index, ascending
 */
export const insertKeyImport = async (
  connection: Connection,
  keyId: KeyId,
  envelopes: readonly Uint8Array[],
): Promise<void> => {
  await connection.execute("insert into key_imports (key_id, envelopes) values ($1, $2)", [keyId, envelopes]);
};

/** Reads the envelopes, one for every signer of the roster, by index, ascending; undefined once the import is settled. */
export const readKeyImport = async (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly Uint8Array[] | undefined> => {
  const [found] = await connection.rows(rowSchema, "select envelopes from key_imports where key_id = $1", [
    keyId,
  ]);
  return found;
};

/** Deletes the envelopes of a settled import. */
export const deleteKeyImport = async (connection: Connection, keyId: KeyId): Promise<void> => {
  await connection.execute("delete from key_imports where key_id = $1", [keyId]);
};
