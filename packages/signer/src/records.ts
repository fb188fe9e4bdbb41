import { mkdir } from "node:fs/promises";
import type { StoredRecord } from "@conclave/cluster";
import { ok, type Result } from "@conclave/custody";
import { groupKeysIn, openTable, Vault } from "@conclave/platform/vault";
import type { Secret } from "@conclave/threshold";

export interface OpenRecords {
  readonly vault: Vault;
  readonly records: readonly StoredRecord[];
}

/**
 * Opens the signer's sealed store and reads all of it.
 *
 * @returns refusal PassphraseWrong or StoreDamaged, outage StoreLocked
 */
export const openRecords = async (
  folder: string,
  passphrase: Secret<string>,
): Promise<Result<OpenRecords>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const table = await openTable(folder);
  if (!table.ok) return table;
  const vault = await Vault.open(table.value, passphrase, groupKeysIn(folder));
  if (!vault.ok) {
    await table.value.close();
    return vault;
  }
  const records = await vault.value.list();
  if (!records.ok) {
    await vault.value.close();
    return records;
  }
  return ok({ vault: vault.value, records: records.value });
};
