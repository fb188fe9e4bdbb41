import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import {
  filed,
  HISTORY_PREFIXES,
  leftInStore,
  type SignerConfig,
  type StoredRecord,
  UnwrittenRecords,
} from "@conclave/cluster";
import { ok, type Result } from "@conclave/custody";
import { type OpenStore, openStore, Vault, type VaultStore } from "@conclave/platform/vault";
import type { Secret } from "@conclave/threshold";

/** Records of an older version that one write files. */
const FILED_PER_WRITE = 1_000;

/** A signer's store while the signer runs. */
export type SignerStore = Pick<Vault, "batch" | "check" | "close" | "erase" | "forget" | "next" | "settle">;

/** A signer's store with what a start has read of it. */
export interface SignerRecords {
  readonly vault: SignerStore;
  /** all but those of keys and of the past, which are read when they are named */
  readonly records: readonly StoredRecord[];
  /** reads those */
  readonly past: UnwrittenRecords;
}

export interface OpenRecords extends SignerRecords {
  readonly vault: Vault;
}

/**
 * Opens the signer's sealed store in a folder, as `openRecordsIn` does.
 *
 * @returns its refusals, refusal StoreDamaged, outage StoreLocked or StoreUnusable
 */
export const openRecords = async (
  folder: string,
  passphrase: Secret<string>,
  identityKey: Uint8Array,
  reader: SignerConfig["reader"],
  open: OpenStore = openStore,
): Promise<Result<OpenRecords>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = await open(folder);
  return store.ok ? openRecordsIn(store.value, passphrase, identityKey, reader) : store;
};

/**
 * Opens the signer's sealed store, and reads what the signer has to know from the start. Keys and what is past stay where they
 * are, however many they are. Of a store that an older version wrote, the past is filed once under the times at which it may be
 * forgotten, and keys are read once, so that the state machine writes the missing records of them.
 *
 * @param identityKey of the signer, which the store belongs to from the first time on
 * @returns refusal PassphraseWrong, StoreNewer, StoreDamaged, StoreAltered or StoreOfAnother
 */
export const openRecordsIn = async (
  { table, groupKeys }: VaultStore,
  passphrase: Secret<string>,
  identityKey: Uint8Array,
  reader: SignerConfig["reader"],
): Promise<Result<OpenRecords>> => {
  const vault = await Vault.open(table, passphrase, groupKeys);
  if (!vault.ok) {
    await table.close();
    return vault;
  }
  const bound = await vault.value.bindTo(createHash("sha256").update(identityKey).digest());
  const isFiled = bound.ok ? await fileHistory(vault.value, reader) : bound;
  const past = new UnwrittenRecords((record) => vault.value.read(record));
  const records = isFiled.ok ? await vault.value.listBut(leftInStore(past.read)) : isFiled;
  if (!records.ok) {
    await vault.value.close();
    return records;
  }
  return ok({ vault: vault.value, records: records.value, past });
};

/** A crash in between leaves some of it filed, and the next start files all of it again. */
const fileHistory = async (vault: Vault, reader: SignerConfig["reader"]): Promise<Result<void>> => {
  if (await vault.isListed()) return ok(undefined);
  for (const prefix of HISTORY_PREFIXES) {
    let after = "";
    for (;;) {
      const found = await vault.next(prefix, after, FILED_PER_WRITE);
      if (!found.ok) return found;
      const last = found.value.at(-1);
      if (last === undefined) break;
      const puts = found.value.flatMap((stored) => filed(stored, reader) ?? []);
      await vault.batch({ puts, erases: [], sync: false });
      after = last.record;
    }
  }
  await vault.markListed();
  return ok(undefined);
};
