import { MemoryLevel } from "memory-level";
import { memoryGroupKeys, type VaultStore } from "../../vault/index.ts";

/** The store of a vault in memory. It keeps what it holds when a vault closes it, so that the next start of a signer finds it. */
export const memoryVaultStore = (): VaultStore => {
  const level = new MemoryLevel<string, Uint8Array>({ keyEncoding: "utf8", valueEncoding: "view" });
  const table: VaultStore["table"] = {
    get: (name) => level.get(name),
    getSync: (name) => level.getSync(name),
    put: (name, value) => level.put(name, value),
    del: (name) => level.del(name),
    batch: (changes) => level.batch(changes),
    iterator: (range) => level.iterator(range),
    close: async () => undefined,
  };
  return { table, groupKeys: memoryGroupKeys() };
};
