import {
  type CreatingKey,
  type CreatingWallet,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { freshId } from "../fresh-id.ts";
import type { Database } from "../postgres/database.ts";
import { insertKey } from "../postgres/keys/keys.ts";
import { insertWallet } from "../postgres/keys/wallets.ts";

const date = "2026-01-02T03:04:05.678Z";

/** A wallet that is being created. */
export const sampleWallet = (
  orgId: OrganisationId,
  change: Partial<CreatingWallet> = {},
): CreatingWallet => ({
  id: freshId(walletIdSchema, "wa"),
  orgId,
  keyId: freshId(keyIdSchema, "key"),
  name: "first",
  network: networkSchema.parse("EthereumSepolia"),
  externalId: undefined,
  tags: ["a"],
  requester: { userId: freshId(userIdSchema, "us") },
  requestBody: { network: networkSchema.parse("EthereumSepolia"), name: "first" },
  dateCreated: date,
  status: "Creating",
  ...change,
});

/** The key of a wallet, while it is being created. */
export const sampleKey = (
  wallet: Pick<CreatingWallet, "keyId" | "orgId" | "requester">,
  change: Partial<CreatingKey> = {},
): CreatingKey => ({
  id: wallet.keyId,
  orgId: wallet.orgId,
  name: "first",
  scheme: "ECDSA",
  origin: "generated",
  requester: wallet.requester,
  authorisation: { payload: Uint8Array.of(1, 2), signature: new Uint8Array(64) },
  isDelegable: false,
  delegatedTo: undefined,
  dateCreated: date,
  status: "Creating",
  ...change,
});

/** Stores a wallet and its key. @returns false if its externalId is taken */
export const storeWallet = (
  on: Database,
  wallet: CreatingWallet,
  key = sampleKey(wallet),
): Promise<boolean> =>
  on.transaction(async (connection) => {
    if (!(await insertWallet(connection, wallet))) return false;
    await insertKey(connection, key);
    return true;
  });
