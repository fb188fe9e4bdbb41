export type { Disk } from "./disk.ts";
export { type GroupKeyStore, groupKeysIn, memoryGroupKeys } from "./group-keys.ts";
export { openTable } from "./level-table.ts";
export { type OpenStore, openStore, type VaultStore } from "./store.ts";
export type { Table } from "./table.ts";
export { Vault } from "./vault.ts";
export { AlteredStore } from "./whole/altered-store.ts";
