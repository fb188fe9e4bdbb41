import { randomBytes } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import type { GroupKeyStore } from "../group-keys.ts";
import { isOfWholeStore, RECORD_NAMES } from "../record-names.ts";
import { deriveKey, SALT_BYTES, sealValue, unsealValue } from "../sealing.ts";
import { afterPrefix, type Table, type TableChange } from "../table.ts";
import { AlteredStore } from "./altered-store.ts";
import { LEAF } from "./leaf.ts";
import { WholeTable } from "./whole-table.ts";

/** prefix of the vault's own entries, in every version of its form */
const ANY_VERSION = "vault/";
/**
 * The form of a store that knows its entries. Entries of earlier versions keep their names, below vault/1/. Versions
 * that do not know this form find no salt there, and refuse the store as one of a newer version.
 */
const OWN = "vault/2/";
const SALT = `${OWN}salt`;
const CHECK = `${OWN}check`;
const CHECK_VALUE = "conclave vault 2";
/** names in the stores of versions that did not know their entries */
const OLDER = { salt: "vault/1/salt", check: "vault/1/check" } as const;

interface OpenTable {
  readonly table: WholeTable;
  readonly key: Secret<Uint8Array>;
  readonly isNew: boolean;
}

/** The entries that are needed to open a store. */
const headOf = (key: Secret<Uint8Array>, salt: Uint8Array): readonly TableChange[] => [
  { type: "put", key: CHECK, value: sealValue(key, CHECK, new Secret(Buffer.from(CHECK_VALUE))) },
  { type: "put", key: SALT, value: salt },
];

/** @param entry an entry that only the right key decrypts */
const keyOf = async (
  table: Table,
  passphrase: Secret<string>,
  salt: Uint8Array,
  entry: string,
): Promise<Result<Secret<Uint8Array>>> => {
  const key = await deriveKey(passphrase, salt);
  const check = await table.get(entry);
  if (check === undefined) return fail("StoreDamaged", {}, "The store lacks its check record.");
  if (unsealValue(key, entry, check) !== undefined) return ok(key);
  return fail("PassphraseWrong", {}, "The passphrase or key file does not open this store.");
};

/**
 * Opens the table of a store, migrates one of an older version, or begins a new one in an empty table.
 *
 * @throws AlteredStore if a store that knows its entries was made to look like an older one
 */
export const openWholeTable = async (
  table: Table,
  passphrase: Secret<string>,
  groupKeys: GroupKeyStore,
): Promise<Result<OpenTable>> => {
  const salt = await table.get(SALT);
  if (salt !== undefined) {
    const key = await keyOf(table, passphrase, salt, CHECK);
    if (!key.ok) return key;
    const whole = await WholeTable.open(table, key.value);
    return whole.ok ? ok({ table: whole.value, key: key.value, isNew: false }) : whole;
  }
  const olderSalt = await table.get(OLDER.salt);
  return olderSalt === undefined
    ? begin(table, passphrase, groupKeys)
    : takeOver(table, passphrase, olderSalt);
};

const begin = async (
  table: Table,
  passphrase: Secret<string>,
  groupKeys: GroupKeyStore,
): Promise<Result<OpenTable>> => {
  for await (const _ of table.iterator({ gte: afterPrefix(OWN), lt: afterPrefix(ANY_VERSION) })) {
    return fail(
      "StoreNewer",
      {},
      "The store is of a form that this version does not know: a newer one wrote it.",
    );
  }
  for await (const _ of table.iterator({ gte: RECORD_NAMES, lt: afterPrefix(RECORD_NAMES) })) {
    return fail("StoreDamaged", {}, "The store has records, but lacks its salt.");
  }
  for await (const _ of table.iterator({ gte: LEAF, lt: afterPrefix(LEAF) })) {
    return fail("StoreDamaged", {}, "The store has lists of its entries, but lacks its salt.");
  }
  if ((await groupKeys.read()).size > 0) {
    // not a new store: the keys belong to records that were here, and are needed once the table is restored
    return fail("StoreDamaged", {}, "The store is empty, but keys of its records lie beside it.");
  }
  const salt = new Uint8Array(randomBytes(SALT_BYTES));
  const key = await deriveKey(passphrase, salt);
  return ok({ table: await WholeTable.begin(table, key, headOf(key, salt)), key, isNew: true });
};

/**
 * Makes an older store one that knows its entries. Changes that were made before cannot be detected. A store that knew
 * its entries already, but lost all signs of that, is recognised by its records, which are bound to other names.
 */
const takeOver = async (
  table: Table,
  passphrase: Secret<string>,
  salt: Uint8Array,
): Promise<Result<OpenTable>> => {
  const key = await keyOf(table, passphrase, salt, OLDER.check);
  if (!key.ok) return key;
  const changes: readonly TableChange[] = [
    { type: "del", key: OLDER.salt },
    { type: "del", key: OLDER.check },
    ...headOf(key.value, salt),
  ];
  const whole = await WholeTable.begin(table, key.value, changes, (name, bytes) => {
    const record = name.startsWith(RECORD_NAMES) ? name.slice(RECORD_NAMES.length) : undefined;
    if (record !== undefined && isOfWholeStore(key.value, record, bytes)) throw new AlteredStore(name);
  });
  return ok({ table: whole, key: key.value, isNew: false });
};
