import {
  type ActiveWallet,
  type KeyId,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
  type UserId,
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
import { listOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";
import { keys } from "./keys.ts";

const columns = {
  id: walletIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  name: optional(z.string()),
  network: networkSchema,
  status: z.enum(["Creating", "Active", "Archived", "Failed"]),
  externalId: optional(z.string()),
  tags: z.array(z.string()),
  requester: requesterSchema,
  requestBody: z.record(z.string(), z.unknown()),
  address: optional(z.string()),
  problem: optional(problemSchema),
  dateCreated: date,
  dateDeleted: optional(date),
};

const { scheme, publicKey, internalKey, delegatedTo, dateExported } = keys.shape;
/** Columns of the wallet's key. */
const ofKey = { scheme, publicKey, internalKey, delegatedTo, dateExported, imported: z.boolean() };

const rowSchema = z.object({ ...columns, ...ofKey }).transform((row): Wallet => {
  const { id, status, problem, address, dateDeleted, ...more } = row;
  const { scheme, publicKey, internalKey, delegatedTo, dateExported, imported: isImported, ...given } = more;
  const facts = { ...given, id };
  if (status === "Creating") return { ...facts, status };
  if (status === "Failed") {
    if (problem === undefined) throw new Error(`${id} failed without a problem`);
    return { ...facts, status, problem };
  }
  if (publicKey === undefined) throw new Error(`${id} has no key`);
  const signingKey = { scheme, publicKey, internalKey, delegatedTo, isImported, dateExported };
  const keyed = { ...facts, signingKey, address };
  if (status === "Active") return { ...keyed, status };
  if (dateDeleted === undefined) throw new Error(`${id} was archived at no time`);
  return { ...keyed, status, dateDeleted };
});

/** Wallets; each is read with some columns of its key. */
export const wallets = mappedTable(
  "wallets",
  columns,
  {
    row: rowSchema,
    derived: (wallet: Wallet) => ({
      address: wallet.status === "Active" || wallet.status === "Archived" ? wallet.address : undefined,
      problem: wallet.status === "Failed" ? wallet.problem : undefined,
      dateDeleted: wallet.status === "Archived" ? wallet.dateDeleted : undefined,
    }),
  },
  {
    changing: ["status", "name", "externalId", "tags", "address", "problem", "dateDeleted"],
    joined: {
      select: `select ${listOf(columns, "w")}, ${listOf(ofKey, "k")} from wallets w join keys k on k.id = w.key_id`,
      alias: "w",
    },
  },
);

/**
 * Inserts a wallet. Its key may follow in the same transaction.
 * @returns false, and changes nothing, if the organisation has used the wallet's externalId before
 */
export const insertWallet = (connection: Connection, wallet: Wallet): Promise<boolean> =>
  wallets.insert(connection, wallet, "on conflict (org_id, external_id) do nothing");

/** Writes the columns of a wallet that can change, without those of its key. */
export const updateWallet = async (connection: Connection, wallet: Wallet): Promise<void> => {
  if (!(await wallets.update(connection, wallet))) throw new Error(`${wallet.id} is not there to be updated`);
};

export const readWallet = (connection: Connection, id: WalletId): Promise<Wallet | undefined> =>
  wallets.one(connection, { id });

/** Reads a wallet and locks its row until the transaction ends. */
export const lockWallet = (connection: Connection, id: WalletId): Promise<Wallet | undefined> =>
  wallets.one(connection, { id }, "for update");

const OF_KEY = "where w.key_id = $1 and w.status <> 'Failed' order by w.date_created, w.id";

/**
 * Lists the wallets that sign with a key, oldest first, without failed wallets. Policies of each of them guard the key.
 *
 * @throws UnreadableRow if one cannot be read: its policies would be unknown, and nothing may pass unknown policies
 * (INV-8)
 */
export const listWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  wallets.rows(connection, OF_KEY, [keyId]);

/** As listWalletsOfKey, for display: wallets that cannot be read are left out. */
export const listShownWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  wallets.listed(connection, OF_KEY, [keyId]);

/** Like listWalletsOfKey, and locks the rows until the transaction ends. Lock the key first. */
export const lockWalletsOfKey = (connection: Connection, keyId: KeyId): Promise<readonly Wallet[]> =>
  wallets.rows(connection, `${OF_KEY} for update of w`, [keyId]);

/** Reads the wallet that an organisation created with this externalId. */
export const readWalletByExternalId = (
  connection: Connection,
  orgId: OrganisationId,
  externalId: string,
): Promise<Wallet | undefined> => wallets.one(connection, { orgId, externalId });

/** Lists active wallets of an organisation, newest first; with `ownerId`, those of one end user. */
export const listWallets = async (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
  ownerId?: UserId,
): Promise<Listed<ActiveWallet>> => {
  const found = await wallets.page(
    connection,
    `w.org_id = $1 and w.status = 'Active' and ($2::text is null or k.${keys.columns.delegatedTo} = $2)`,
    [orgId, ownerId ?? null],
    page,
  );
  return listedAs(
    found.filter((wallet) => wallet.status === "Active"),
    found.leftOut,
  );
};
