export { openTable, type Table } from "./table.ts";
export { Vault } from "./vault.ts";
