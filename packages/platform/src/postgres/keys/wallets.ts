import {
  type ActiveWallet,
  KEY_SCHEMES,
  type KeyId,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
  type UserId,
  userIdSchema,
  type Wallet,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import { listedAs } from "../connection/unreadable-row.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { problemSchema } from "../problem-column.ts";

const columns = z.object({
  id: walletIdSchema,
  org_id: organisationIdSchema,
  key_id: keyIdSchema,
  name: optional(z.string()),
  network: networkSchema,
  status: z.enum(["Creating", "Active", "Archived", "Failed"]),
  external_id: optional(z.string()),
  tags: z.array(z.string()),
  requester: requesterSchema,
  request_body: z.record(z.string(), z.unknown()),
  address: optional(z.string()),
  problem: optional(problemSchema),
  date_created: date,
  date_deleted: optional(date),
  // the key's
  scheme: z.enum(KEY_SCHEMES),
  public_key: optional(z.string()),
  internal_key: optional(z.string()),
  delegated_to: optional(userIdSchema),
  imported: z.boolean(),
  date_exported: optional(date),
});

const rowSchema = columns.transform((row): Wallet => {
  const facts = {
    id: row.id,
    orgId: row.org_id,
    keyId: row.key_id,
    name: row.name,
    network: row.network,
    externalId: row.external_id,
    tags: row.tags,
    requester: row.requester,
    requestBody: row.request_body,
    dateCreated: row.date_created,
  };
  if (row.status === "Creating") return { ...facts, status: row.status };
  if (row.status === "Failed") {
    if (row.problem === undefined) throw new Error(`${row.id} failed without a problem`);
    return { ...facts, status: row.status, problem: row.problem };
  }
  if (row.public_key === undefined) throw new Error(`${row.id} has no key`);
  const signingKey = {
    scheme: row.scheme,
    publicKey: row.public_key,
    internalKey: row.internal_key,
    delegatedTo: row.delegated_to,
    isImported: row.imported,
    dateExported: row.date_exported,
  };
  const keyed = { ...facts, signingKey, address: row.address };
  if (row.status === "Active") return { ...keyed, status: row.status };
  if (row.date_deleted === undefined) throw new Error(`${row.id} was archived at no time`);
  return { ...keyed, status: row.status, dateDeleted: row.date_deleted };
});

const WITH_KEY = `select w.*, k.scheme, k.public_key, k.internal_key, k.delegated_to, k.imported, k.date_exported
  from wallets w join keys k on k.id = w.key_id`;

/** The columns of a wallet that can change, without those of its key. */
const changing = (wallet: Wallet) => ({
  address: wallet.status === "Active" || wallet.status === "Archived" ? wallet.address : undefined,
  problem: wallet.status === "Failed" ? JSON.stringify(wallet.problem) : undefined,
  dateDeleted: wallet.status === "Archived" ? wallet.dateDeleted : undefined,
});

/**
 * Inserts a wallet. Its key may follow in the same transaction.
 * @returns false, and changes nothing, if the organisation has used the wallet's externalId before
 */
export const insertWallet = async (connection: Connection, wallet: Wallet): Promise<boolean> => {
  const { address, problem, dateDeleted } = changing(wallet);
  const inserted = await connection.execute(
    `insert into wallets (id, org_id, key_id, name, network, status, external_id, tags, requester, request_body,
       address, problem, date_created, date_deleted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (org_id, external_id) do nothing`,
    [
      wallet.id,
      wallet.orgId,
      wallet.keyId,
      wallet.name,
      wallet.network,
      wallet.status,
      wallet.externalId,
      JSON.stringify(wallet.tags),
      JSON.stringify(wallet.requester),
      JSON.stringify(wallet.requestBody),
      address,
      problem,
      wallet.dateCreated,
      dateDeleted,
    ],
  );
  return inserted === 1;
};

/** Writes the columns of a wallet that can change, without those of its key. */
export const updateWallet = async (connection: Connection, wallet: Wallet): Promise<void> => {
  const { address, problem, dateDeleted } = changing(wallet);
  const updated = await connection.execute(
    `update wallets set status = $2, name = $3, external_id = $4, tags = $5, address = $6, problem = $7,
       date_deleted = $8
     where id = $1`,
    [
      wallet.id,
      wallet.status,
      wallet.name,
      wallet.externalId,
      JSON.stringify(wallet.tags),
      address,
      problem,
      dateDeleted,
    ],
  );
  if (updated !== 1) throw new Error(`${wallet.id} is not there to be updated`);
};

export const readWallet = async (connection: Connection, id: WalletId): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, `${WITH_KEY} where w.id = $1`, [id]);
  return found;
};

/** Reads a wallet and locks its row until the transaction ends. */
export const lockWallet = async (connection: Connection, id: WalletId): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, `${WITH_KEY} where w.id = $1 for update of w`, [id]);
  return found;
};

const OF_KEY = `${WITH_KEY} where w.key_id = $1 and w.status <> 'Failed' order by w.date_created, w.id`;

/**
 * Lists the wallets that sign with a key, oldest first, without failed wallets. Policies of each of them guard the key.
 * @throws UnreadableRow when one of them cannot be read: nothing passes policies that nobody knows of (INV-8)
 */
export const listWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  connection.rows(rowSchema, OF_KEY, [keyId]);

/** The same to be shown, without those that cannot be read. */
export const listShownWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  connection.listed(rowSchema, OF_KEY, [keyId]);

/** Like listWalletsOfKey, and locks the rows until the transaction ends. Lock the key first. */
export const lockWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  connection.rows(
    rowSchema,
    `${WITH_KEY} where w.key_id = $1 and w.status <> 'Failed' order by w.date_created, w.id for update of w`,
    [keyId],
  );

/** Reads the wallet that an organisation created with this externalId. */
export const readWalletByExternalId = async (
  connection: Connection,
  orgId: OrganisationId,
  externalId: string,
): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, `${WITH_KEY} where w.org_id = $1 and w.external_id = $2`, [
    orgId,
    externalId,
  ]);
  return found;
};

/** Lists active wallets of an organisation, newest first; with `ownerId`, those of one end user. */
export const listWallets = async (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
  ownerId?: UserId,
): Promise<Listed<ActiveWallet>> => {
  const wallets = await connection.listed(
    rowSchema,
    `${WITH_KEY}
     where w.org_id = $1 and w.status = 'Active'
       and ($2::timestamptz is null or (w.date_created, w.id) < ($2, $3))
       and ($5::text is null or k.delegated_to = $5)
     order by w.date_created desc, w.id desc limit $4`,
    [orgId, page.after?.date ?? null, page.after?.id ?? null, page.limit, ownerId ?? null],
  );
  return listedAs(
    wallets.filter((wallet) => wallet.status === "Active"),
    wallets.leftOut,
  );
};
