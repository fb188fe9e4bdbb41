import { Secret } from "@conclave/threshold";
import { boundName, RECORD_NAMES } from "../vault/record-names.ts";
import { deriveKey, sealValue, unsealValue } from "../vault/sealing.ts";
import { afterPrefix, type Table } from "../vault/table.ts";

const SYNCED = { sync: true } as const;

/**
 * Turns a store into the form of a version whose stores do not know their entries. Records with keys of their own stay
 * as they are.
 *
 * @param table of a closed vault
 */
export const leaveOlderStore = async (table: Table, passphrase: Secret<string>): Promise<void> => {
  const salt = await table.get("vault/2/salt");
  if (salt === undefined) throw new Error("the store is older already");
  const key = await deriveKey(passphrase, salt);
  const check = sealValue(key, "vault/1/check", new Secret(Buffer.from("conclave vault 1")));
  await table.put("vault/1/check", check, SYNCED);
  await table.put("vault/1/salt", salt, SYNCED);
  for (const prefix of ["vault/2/", "~"]) {
    for await (const [name] of table.iterator({ gte: prefix, lt: afterPrefix(prefix) })) {
      await table.del(name, SYNCED);
    }
  }
  for await (const [name, bytes] of table.iterator({ gte: RECORD_NAMES, lt: afterPrefix(RECORD_NAMES) })) {
    const value = unsealValue(key, boundName(name.slice(RECORD_NAMES.length), undefined), bytes);
    if (value !== undefined) await table.put(name, sealValue(key, name, value), SYNCED);
  }
};
