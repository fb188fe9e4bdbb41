import { ok, type Result } from "@conclave/custody";
import { type GroupKeyStore, groupKeysIn } from "./group-keys.ts";
import { openTable } from "./level-table.ts";
import type { Table } from "./table.ts";

/** The two parts of a vault's store. */
export interface VaultStore {
  readonly table: Table;
  readonly groupKeys: GroupKeyStore;
}

/** Opens the store in a folder. @returns outage StoreLocked or StoreUnusable; refusal StoreDamaged */
export type OpenStore = (folder: string) => Promise<Result<VaultStore>>;

export const openStore: OpenStore = async (folder) => {
  const table = await openTable(folder);
  return table.ok ? ok({ table: table.value, groupKeys: groupKeysIn(folder) }) : table;
};
