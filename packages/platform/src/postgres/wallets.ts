import {
  type ActiveWallet,
  createWalletBodySchema,
  isErrorCode,
  type KeyId,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
  type Wallet,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "./columns.ts";
import type { Connection } from "./database.ts";
import type { Page } from "./page.ts";

const problemSchema = z.object({
  code: z.string().refine(isErrorCode),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

const columns = z.object({
  id: walletIdSchema,
  org_id: organisationIdSchema,
  key_id: keyIdSchema,
  name: optional(z.string()),
  network: networkSchema,
  status: z.enum(["Creating", "Active", "Failed"]),
  external_id: optional(z.string()),
  tags: z.array(z.string()),
  requester: requesterSchema,
  request_body: createWalletBodySchema,
  authorisation: bytes,
  authorisation_signature: bytes,
  public_key: optional(z.string()),
  address: optional(z.string()),
  problem: optional(problemSchema),
  date_created: date,
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
    authorisation: { payload: row.authorisation, signature: row.authorisation_signature },
    dateCreated: row.date_created,
  };
  switch (row.status) {
    case "Creating":
      return { ...facts, status: row.status };
    case "Active":
      if (row.public_key === undefined || row.address === undefined) throw new Error(`${row.id} has no key`);
      return { ...facts, status: row.status, publicKey: row.public_key, address: row.address };
    case "Failed":
      if (row.problem === undefined) throw new Error(`${row.id} failed without a problem`);
      return { ...facts, status: row.status, problem: row.problem };
  }
});

/**
 * Adds a wallet.
 * @returns false, and changes nothing, when the organisation has used the wallet's externalId before
 */
export const insertWallet = async (connection: Connection, wallet: Wallet): Promise<boolean> => {
  const inserted = await connection.execute(
    `insert into wallets (id, org_id, key_id, name, network, status, external_id, tags, requester, request_body,
       authorisation, authorisation_signature, public_key, address, problem, date_created)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
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
      wallet.authorisation.payload,
      wallet.authorisation.signature,
      ...outcome(wallet),
      wallet.dateCreated,
    ],
  );
  return inserted === 1;
};

const outcome = (wallet: Wallet): readonly [string | null, string | null, string | null] => {
  switch (wallet.status) {
    case "Creating":
      return [null, null, null];
    case "Active":
      return [wallet.publicKey, wallet.address, null];
    case "Failed":
      return [null, null, JSON.stringify(wallet.problem)];
  }
};

/** Writes what may change in a wallet's life: status, externalId, key, address, problem. */
export const updateWallet = async (connection: Connection, wallet: Wallet): Promise<void> => {
  const updated = await connection.execute(
    `update wallets set status = $2, external_id = $3, public_key = $4, address = $5, problem = $6 where id = $1`,
    [wallet.id, wallet.status, wallet.externalId, ...outcome(wallet)],
  );
  if (updated !== 1) throw new Error(`${wallet.id} is not there to be updated`);
};

export const readWallet = async (connection: Connection, id: WalletId): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from wallets where id = $1", [id]);
  return found;
};

/** Reads a wallet and holds its row until the transaction ends; the order of a wallet's work hangs on this lock. */
export const lockWallet = async (connection: Connection, id: WalletId): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from wallets where id = $1 for update", [id]);
  return found;
};

/** The wallet that a key was made for: its status tells whether a signer keeps or discards a pending share. */
export const readWalletOfKey = async (connection: Connection, keyId: KeyId): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from wallets where key_id = $1", [keyId]);
  return found;
};

/** The wallet that an organisation created under an externalId of its own. */
export const readWalletByExternalId = async (
  connection: Connection,
  orgId: OrganisationId,
  externalId: string,
): Promise<Wallet | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from wallets where org_id = $1 and external_id = $2",
    [orgId, externalId],
  );
  return found;
};

/** Active wallets of an organisation, newest first. */
export const listWallets = async (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<readonly ActiveWallet[]> => {
  const wallets = await connection.rows(
    rowSchema,
    `select * from wallets
     where org_id = $1 and status = 'Active' and ($2::timestamptz is null or (date_created, id) < ($2, $3))
     order by date_created desc, id desc limit $4`,
    [orgId, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );
  return wallets.filter((wallet) => wallet.status === "Active");
};

const keySchema = z.object({ key_id: keyIdSchema }).transform(({ key_id }) => key_id);

/** Keys of the active wallets that were created last, newest first. */
export const readNewestKeys = (
  connection: Pick<Connection, "rows">,
  limit: number,
): Promise<readonly KeyId[]> =>
  connection.rows(
    keySchema,
    "select key_id from wallets where status = 'Active' order by date_created desc limit $1",
    [limit],
  );

/** Wallets whose keys are still being made, oldest first: what an orchestrator takes up after a restart. */
export const listWalletsBeingCreated = (connection: Connection, limit: number): Promise<readonly Wallet[]> =>
  connection.rows(
    rowSchema,
    "select * from wallets where status = 'Creating' order by date_created limit $1",
    [limit],
  );
