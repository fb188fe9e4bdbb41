import {
  type ActiveKey,
  KEY_SCHEMES,
  type Key,
  type KeyId,
  keyIdSchema,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import { listedAs } from "../connection/unreadable-row.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { problemSchema } from "../problem-column.ts";

const columns = z.object({
  id: keyIdSchema,
  org_id: organisationIdSchema,
  name: optional(z.string()),
  scheme: z.enum(KEY_SCHEMES),
  status: z.enum(["Creating", "Active", "Archived", "Failed"]),
  origin: z.enum(["generated", "imported"]),
  requester: requesterSchema,
  authorisation: bytes,
  authorisation_signature: bytes,
  public_key: optional(z.string()),
  internal_key: optional(z.string()),
  problem: optional(problemSchema),
  is_delegable: z.boolean(),
  delegated_to: optional(userIdSchema),
  date_exported: optional(date),
  date_created: date,
  date_deleted: optional(date),
});

const rowSchema = columns.transform((row): Key => {
  const facts = {
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    scheme: row.scheme,
    origin: row.origin,
    requester: row.requester,
    authorisation: { payload: row.authorisation, signature: row.authorisation_signature },
    isDelegable: row.is_delegable,
    delegatedTo: row.delegated_to,
    dateCreated: row.date_created,
  };
  if (row.status === "Creating") return { ...facts, status: row.status };
  if (row.status === "Failed") {
    if (row.problem === undefined) throw new Error(`${row.id} failed without a problem`);
    return { ...facts, status: row.status, problem: row.problem };
  }
  if (row.public_key === undefined) throw new Error(`${row.id} has no public key`);
  const { public_key: publicKey, internal_key: internalKey, date_exported: dateExported } = row;
  const made = { ...facts, publicKey, internalKey, dateExported };
  if (row.status === "Active") return { ...made, status: row.status };
  if (row.date_deleted === undefined) throw new Error(`${row.id} was archived at no time`);
  return { ...made, status: row.status, dateDeleted: row.date_deleted };
});

/** The columns of a key that can change. */
const changing = (key: Key) => {
  const isMade = key.status === "Active" || key.status === "Archived";
  return {
    status: key.status,
    name: key.name,
    public_key: isMade ? key.publicKey : undefined,
    internal_key: isMade ? key.internalKey : undefined,
    problem: key.status === "Failed" ? JSON.stringify(key.problem) : undefined,
    delegated_to: key.delegatedTo,
    date_exported: isMade ? key.dateExported : undefined,
    date_deleted: key.status === "Archived" ? key.dateDeleted : undefined,
  };
};

/** Inserts an accepted key. What signers make of it, its internal key among that, is known later. */
export const insertKey = async (connection: Connection, key: Key): Promise<void> => {
  const { status, name, public_key, problem, delegated_to, date_exported, date_deleted } = changing(key);
  await connection.execute(
    `insert into keys (id, org_id, name, scheme, status, origin, requester, authorisation, authorisation_signature,
       public_key, problem, is_delegable, delegated_to, date_exported, date_created, date_deleted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      key.id,
      key.orgId,
      name,
      key.scheme,
      status,
      key.origin,
      JSON.stringify(key.requester),
      key.authorisation.payload,
      key.authorisation.signature,
      public_key,
      problem,
      key.isDelegable,
      delegated_to,
      date_exported,
      key.dateCreated,
      date_deleted,
    ],
  );
};

/** Writes the columns of a key that can change. */
export const updateKey = async (connection: Connection, key: Key): Promise<void> => {
  const changed = changing(key);
  const { status, name, public_key, internal_key, problem, delegated_to, date_exported, date_deleted } =
    changed;
  const updated = await connection.execute(
    `update keys set status = $2, name = $3, public_key = $4, internal_key = $5, problem = $6, delegated_to = $7,
       date_exported = $8, date_deleted = $9
     where id = $1`,
    [key.id, status, name, public_key, internal_key, problem, delegated_to, date_exported, date_deleted],
  );
  if (updated !== 1) throw new Error(`${key.id} is not there to be updated`);
};

export const readKey = async (connection: Pick<Connection, "rows">, id: KeyId): Promise<Key | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from keys where id = $1", [id]);
  return found;
};

/** Reads a key and locks its row until the transaction ends. This lock also guards changes of its wallets. */
export const lockKey = async (connection: Connection, id: KeyId): Promise<Key | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from keys where id = $1 for update", [id]);
  return found;
};

/**
 * Reads a key and keeps it from being locked until the transaction ends: it gets no wallet meanwhile. Others may hold it as well.
 */
export const holdKey = async (connection: Connection, id: KeyId): Promise<Key | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from keys where id = $1 for key share", [id]);
  return found;
};

/** Lists active keys of an organisation, newest first; with `ownerId`, those of one end user. */
export const listKeys = async (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
  ownerId?: UserId,
): Promise<Listed<ActiveKey>> => {
  const keys = await connection.listed(
    rowSchema,
    `select * from keys
     where org_id = $1 and status = 'Active' and ($2::timestamptz is null or (date_created, id) < ($2, $3))
       and ($5::text is null or delegated_to = $5)
     order by date_created desc, id desc limit $4`,
    [orgId, page.after?.date ?? null, page.after?.id ?? null, page.limit, ownerId ?? null],
  );
  return listedAs(
    keys.filter((key) => key.status === "Active"),
    keys.leftOut,
  );
};

/** Reads the active key of the organisation that has this public key. */
export const readKeyByPublicKey = async (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  publicKey: string,
): Promise<Key | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from keys where org_id = $1 and public_key = $2 and status = 'Active' limit 1",
    [orgId, publicKey],
  );
  return found;
};

const heldSchema = z
  .object({ id: keyIdSchema, public_key: z.string() })
  .transform(({ id, public_key }) => [public_key, id] as const);

/**
 * Reads the organisation's keys, except one, by public key (lower-case hex without 0x): active keys, and made keys that are
 * not active yet.
 */
export const readKeysByPublicKey = async (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  but: KeyId,
): Promise<ReadonlyMap<string, KeyId>> =>
  new Map(
    await connection.rows(
      heldSchema,
      `select id, public_key from keys where org_id = $1 and status = 'Active' and id <> $2
       union all
       select id, told.public_key from attested_keys told join keys on id = key_id
       where org_id = $1 and status = 'Creating' and id <> $2`,
      [orgId, but],
    ),
  );

const idSchema = z.object({ id: keyIdSchema }).transform(({ id }) => id);

/** Lists the newest active ECDSA keys, for which presignatures are made; newest first. */
export const readNewestKeys = (
  connection: Pick<Connection, "listed">,
  limit: number,
): Promise<readonly KeyId[]> =>
  connection.listed(
    idSchema,
    "select id from keys where status = 'Active' and scheme = 'ECDSA' order by date_created desc limit $1",
    [limit],
  );
