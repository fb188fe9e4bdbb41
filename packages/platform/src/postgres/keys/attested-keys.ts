import { type KeyAttestation, type KeyId, keyIdSchema } from "@conclave/custody";
import { z } from "zod";
import { optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import {
  ATTESTATION_COLUMNS,
  attestationColumns,
  attestationsIn,
  attestationValues,
} from "./key-attestations.ts";

/** The NOTIFY channel that wakes the processes that activate keys. */
export const ATTESTED_KEYS_CHANNEL = "attested_keys";

/** A claim that the signers made a key. The claimant need not be believed. */
export interface ToldKey {
  readonly keyId: KeyId;
  /** lower-case hex, as the scheme writes it */
  readonly publicKey: string;
  /** of a Taproot key: the point that its shares are of, lower-case hex */
  readonly internalKey?: string | undefined;
  /** of each signer of the roster, by index, ascending */
  readonly attestations: readonly KeyAttestation[];
}

const rowSchema = z
  .object({
    key_id: keyIdSchema,
    public_key: z.string(),
    internal_key: optional(z.string()),
    ...attestationColumns,
  })
  .transform(
    ({ key_id, public_key, internal_key, ...attested }): ToldKey => ({
      keyId: key_id,
      publicKey: public_key,
      internalKey: internal_key,
      attestations: attestationsIn(attested),
    }),
  );

/** Stores a claim for the gateway, which is woken at the commit. The first claim about a key stands. */
export const insertAttestedKey = async (
  connection: Connection,
  { keyId, publicKey, internalKey, attestations }: ToldKey,
): Promise<void> => {
  await connection.execute(
    `insert into attested_keys (key_id, public_key, internal_key, ${ATTESTATION_COLUMNS})
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [keyId, publicKey, internalKey, ...attestationValues(attestations)],
  );
  await connection.execute("select pg_notify($1, '')", [ATTESTED_KEYS_CHANNEL]);
};

const idSchema = z.object({ key_id: keyIdSchema }).transform(({ key_id }) => key_id);

/** Ids of keys that wait to be activated. */
export const readAttestedKeys = (
  connection: Pick<Connection, "rows">,
  limit: number,
): Promise<readonly KeyId[]> =>
  connection.rows(idSchema, "select key_id from attested_keys order by key_id limit $1", [limit]);

/** Takes the claim about a key for this transaction; undefined if there is none, or another process has it. */
export const takeAttestedKey = async (connection: Connection, keyId: KeyId): Promise<ToldKey | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    `select key_id, public_key, internal_key, ${ATTESTATION_COLUMNS} from attested_keys where key_id = $1
     for update skip locked`,
    [keyId],
  );
  return found;
};

/** Removes the claim about a key that is settled. */
export const deleteAttestedKey = async (connection: Connection, keyId: KeyId): Promise<void> => {
  await connection.execute("delete from attested_keys where key_id = $1", [keyId]);
};
