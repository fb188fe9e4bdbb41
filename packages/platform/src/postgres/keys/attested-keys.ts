import { type KeyAttestation, type KeyId, keyIdSchema } from "@conclave/custody";
import { z } from "zod";
import { optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { selectionOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";
import { attestationColumns, attestationsIn, attestationValues } from "./key-attestations.ts";

/** The NOTIFY channel that wakes the processes that activate keys. */
export const ATTESTED_KEYS_CHANNEL = "attested_keys";

/** A claim that the signers made a key. The claimant is not trusted: the attestations prove the claim. */
export interface KeyClaim {
  readonly keyId: KeyId;
  /** lower-case hex, as the scheme writes it */
  readonly publicKey: string;
  /** for a Taproot key, the point of which the signers hold shares, lower-case hex */
  readonly internalKey?: string | undefined;
  /** one of each signer of the roster, by index, ascending */
  readonly attestations: readonly KeyAttestation[];
}

const columns = {
  keyId: keyIdSchema,
  publicKey: z.string(),
  internalKey: optional(z.string()),
  ...attestationColumns,
};

export const attestedKeys = mappedTable("attested_keys", columns, {
  row: z.object(columns).transform(
    ({ keyId, publicKey, internalKey, ...attested }): KeyClaim => ({
      keyId,
      publicKey,
      internalKey,
      attestations: attestationsIn(attested),
    }),
  ),
  derived: ({ attestations, internalKey }: KeyClaim) => ({ internalKey, ...attestationValues(attestations) }),
});

/** Stores a claim for the gateway, which is notified at the commit. The first claim about a key stands. */
export const insertAttestedKey = async (connection: Connection, claim: KeyClaim): Promise<void> => {
  await attestedKeys.insert(connection, claim, "on conflict do nothing");
  await connection.execute("select pg_notify($1, '')", [ATTESTED_KEYS_CHANNEL]);
};

const claimed = selectionOf({ keyId: keyIdSchema });
const claimedSchema = claimed.row.transform(({ keyId }) => keyId);

/** Ids of keys that wait to be activated. */
export const readAttestedKeys = (
  connection: Pick<Connection, "rows">,
  limit: number,
): Promise<readonly KeyId[]> =>
  connection.rows(claimedSchema, `select ${claimed.list} from attested_keys order by key_id limit $1`, [
    limit,
  ]);

/** Whether all signers have made a key, and it waits to be activated. */
export const isAttestedKey = async (connection: Connection, keyId: KeyId): Promise<boolean> => {
  const found = await connection.rows(
    claimedSchema,
    `select ${claimed.list} from attested_keys where key_id = $1`,
    [keyId],
  );
  return found.length > 0;
};

/** Locks the claim about a key for this transaction; undefined if there is none, or another process has it. */
export const takeAttestedKey = async (
  connection: Connection,
  keyId: KeyId,
): Promise<KeyClaim | undefined> => {
  const [found] = await attestedKeys.rows(connection, "where key_id = $1 for update skip locked", [keyId]);
  return found;
};

/** Removes the claim about a settled key. */
export const deleteAttestedKey = async (connection: Connection, keyId: KeyId): Promise<void> => {
  await connection.execute("delete from attested_keys where key_id = $1", [keyId]);
};
