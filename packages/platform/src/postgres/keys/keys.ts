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
import { selectionOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";
import { attestedKeys } from "./attested-keys.ts";

const columns = {
  id: keyIdSchema,
  orgId: organisationIdSchema,
  name: optional(z.string()),
  scheme: z.enum(KEY_SCHEMES),
  status: z.enum(["Creating", "Active", "Archived", "Failed"]),
  origin: z.enum(["generated", "imported"]),
  requester: requesterSchema,
  authorisation: bytes,
  authorisationSignature: bytes,
  publicKey: optional(z.string()),
  internalKey: optional(z.string()),
  problem: optional(problemSchema),
  isDelegable: z.boolean(),
  delegatedTo: optional(userIdSchema),
  dateExported: optional(date),
  dateCreated: date,
  dateDeleted: optional(date),
};

const rowSchema = z.object(columns).transform((row): Key => {
  const { id, status, publicKey, internalKey, problem, dateExported, dateDeleted, ...more } = row;
  const { authorisation: payload, authorisationSignature: signature, ...given } = more;
  const facts = { ...given, id, authorisation: { payload, signature } };
  if (status === "Creating") return { ...facts, status };
  if (status === "Failed") {
    if (problem === undefined) throw new Error(`${id} failed without a problem`);
    return { ...facts, status, problem };
  }
  if (publicKey === undefined) throw new Error(`${id} has no public key`);
  const made = { ...facts, publicKey, internalKey, dateExported };
  if (status === "Active") return { ...made, status };
  if (dateDeleted === undefined) throw new Error(`${id} was archived at no time`);
  return { ...made, status, dateDeleted };
});

export const keys = mappedTable(
  "keys",
  columns,
  {
    row: rowSchema,
    derived: (key: Key) => {
      const made = key.status === "Active" || key.status === "Archived" ? key : undefined;
      return {
        publicKey: made?.publicKey,
        internalKey: made?.internalKey,
        dateExported: made?.dateExported,
        problem: key.status === "Failed" ? key.problem : undefined,
        dateDeleted: key.status === "Archived" ? key.dateDeleted : undefined,
        authorisation: key.authorisation.payload,
        authorisationSignature: key.authorisation.signature,
      };
    },
  },
  {
    changing: [
      "status",
      "name",
      "publicKey",
      "internalKey",
      "problem",
      "delegatedTo",
      "dateExported",
      "dateDeleted",
    ],
    later: ["internalKey"],
  },
);

/** Inserts an accepted key. The signers produce its values later, its internal key among them. */
export const insertKey = async (connection: Connection, key: Key): Promise<void> => {
  await keys.insert(connection, key);
};

/** Writes the columns of a key that can change. */
export const updateKey = async (connection: Connection, key: Key): Promise<void> => {
  if (!(await keys.update(connection, key))) throw new Error(`${key.id} is not there to be updated`);
};

export const readKey = (connection: Pick<Connection, "rows">, id: KeyId): Promise<Key | undefined> =>
  keys.one(connection, { id });

/** Reads a key and locks its row until the transaction ends. This lock also guards changes of its wallets. */
export const lockKey = (connection: Connection, id: KeyId): Promise<Key | undefined> =>
  keys.one(connection, { id }, "for update");

/**
 * Reads a key and prevents others from locking it until the transaction ends, so that it gets no wallet meanwhile.
 * Several transactions may hold it at a time.
 */
export const holdKey = (connection: Connection, id: KeyId): Promise<Key | undefined> =>
  keys.one(connection, { id }, "for key share");

/** Lists active keys of an organisation, newest first; with `ownerId`, those of one end user. */
export const listKeys = async (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
  ownerId?: UserId,
): Promise<Listed<ActiveKey>> => {
  const found = await keys.page(
    connection,
    "org_id = $1 and status = 'Active' and ($2::text is null or delegated_to = $2)",
    [orgId, ownerId ?? null],
    page,
  );
  return listedAs(
    found.filter((key) => key.status === "Active"),
    found.leftOut,
  );
};

/** Reads the active key of the organisation that has this public key. */
export const readKeyByPublicKey = async (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  publicKey: string,
): Promise<Key | undefined> => {
  const [found] = await keys.rows(
    connection,
    "where org_id = $1 and public_key = $2 and status = 'Active' limit 1",
    [orgId, publicKey],
  );
  return found;
};

const held = selectionOf({ id: keyIdSchema, publicKey: z.string() });
const heldSchema = held.row.transform(({ id, publicKey }) => [publicKey, id] as const);

/**
 * Reads the organisation's keys, except one, by public key (lower-case hex without 0x): active keys, and generated keys
 * that are not active yet.
 */
export const readKeysByPublicKey = async (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  but: KeyId,
): Promise<ReadonlyMap<string, KeyId>> =>
  new Map(
    await connection.rows(
      heldSchema,
      `select ${held.list} from keys where org_id = $1 and status = 'Active' and id <> $2
       union all
       select id, told.${attestedKeys.columns.publicKey} from attested_keys told join keys on id = told.${attestedKeys.columns.keyId}
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
