export { type GroupKeyStore, groupKeysIn, memoryGroupKeys } from "./group-keys.ts";
export { openTable, type Table } from "./table.ts";
export { Vault } from "./vault.ts";
