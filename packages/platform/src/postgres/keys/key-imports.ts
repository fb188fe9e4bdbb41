import { type KeyId, keyIdSchema } from "@conclave/custody";
import { bytesList } from "../columns.ts";
import type { Connection } from "../database.ts";
import { plainTable } from "../table/table.ts";

const keyImports = plainTable("key_imports", { keyId: keyIdSchema, envelopes: bytesList });

/**
 * Stores the shares that a client encrypted for the signers, until the import is settled.
 * @param envelopes one for every signer of the roster, by index, ascending
 */
export const insertKeyImport = async (
  connection: Connection,
  keyId: KeyId,
  envelopes: readonly Uint8Array[],
): Promise<void> => {
  await keyImports.insert(connection, { keyId, envelopes });
};

/** Reads the envelopes, one for every signer of the roster, by index, ascending; undefined once the import is settled. */
export const readKeyImport = async (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly Uint8Array[] | undefined> => (await keyImports.one(connection, { keyId }))?.envelopes;

/** Deletes the envelopes of a settled import. */
export const deleteKeyImport = async (connection: Connection, keyId: KeyId): Promise<void> => {
  await connection.execute("delete from key_imports where key_id = $1", [keyId]);
};
