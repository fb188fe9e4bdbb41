import { isDeepStrictEqual } from "node:util";
import {
  type ActiveWallet,
  allowWithoutPolicies,
  type CreateWalletBody,
  type CreatingWallet,
  fail,
  judgeNetwork,
  keyIdSchema,
  type Network,
  ok,
  type Result,
  type Wallet,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import {
  appendToOutbox,
  type Caller,
  freshId,
  insertWallet,
  readWallet,
  readWalletByExternalId,
  walletRequest,
} from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";
import { requesterOf } from "./requester.ts";
import { hearSettlement } from "./settlement.ts";

/**
 * Creates a wallet: the row, its authorisation and its request commit together, then it waits for the signers.
 * The same body with the same externalId answers the wallet that it made before (wire interface, section E.5).
 * @returns the active wallet; NetworkUnknown, NetworkNotEnabled, ExternalIdConflict; the signers' problem; or
 *   RequestInProgress when the key takes longer than callers wait
 */
export const createWallet = async (
  dependencies: Dependencies,
  caller: Caller,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet>> => {
  const network = judgeNetwork(body.network, dependencies.networks);
  if (!network.ok) return network;
  const earlier = await earlierWallet(dependencies, caller, body);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return settledWallet(dependencies, earlier.value.id);

  const wallet = newWallet(dependencies, caller, network.value, body);
  const settlement = await hearSettlement(dependencies.bus, wallet.id);
  try {
    const inserted = await dependencies.database.transaction(async (connection) => {
      if (!(await insertWallet(connection, wallet))) return false;
      await appendToOutbox(connection, walletRequest(wallet.id));
      return true;
    });
    // another request with this externalId came in between; that one is answered, or conflicts
    if (!inserted) return await createWallet(dependencies, caller, body);
    await settlement.wait(dependencies.settlementWaitMs, dependencies.stopping);
    return outcomeOf(await readWallet(dependencies.database, wallet.id), wallet.id);
  } finally {
    settlement.stop();
  }
};

/** The wallet that this externalId made before, if any; ExternalIdConflict when it was another request. */
const earlierWallet = async (
  { database }: Dependencies,
  caller: Caller,
  body: CreateWalletBody,
): Promise<Result<Wallet | undefined>> => {
  if (body.externalId === undefined) return ok(undefined);
  const earlier = await readWalletByExternalId(database, caller.orgId, body.externalId);
  if (earlier === undefined || isDeepStrictEqual(earlier.requestBody, body)) return ok(earlier);
  return fail("ExternalIdConflict", { duplicate: { id: earlier.id, externalId: body.externalId } });
};

const newWallet = (
  { authority, threshold, now }: Dependencies,
  caller: Caller,
  network: Network,
  body: CreateWalletBody,
): CreatingWallet => {
  const date = now().toISOString();
  const ids = {
    orgId: caller.orgId,
    walletId: freshId(walletIdSchema, "wa"),
    keyId: freshId(keyIdSchema, "key"),
  };
  const authorisation = authority({
    version: 1,
    kind: "key",
    ...ids,
    curve: "secp256k1",
    scheme: "ECDSA",
    threshold,
    policy: allowWithoutPolicies(date),
    dateRequested: date,
  });
  return {
    id: ids.walletId,
    orgId: ids.orgId,
    keyId: ids.keyId,
    name: body.name,
    network,
    externalId: body.externalId,
    tags: body.tags ?? [],
    requester: requesterOf(caller),
    requestBody: body,
    authorisation,
    dateCreated: date,
    status: "Creating",
  };
};

/** Waits for a wallet that an earlier request made, which may still be in the making. */
const settledWallet = async (dependencies: Dependencies, id: WalletId): Promise<Result<ActiveWallet>> => {
  const settlement = await hearSettlement(dependencies.bus, id);
  try {
    const wallet = await readWallet(dependencies.database, id);
    if (wallet?.status !== "Creating") return outcomeOf(wallet, id);
    await settlement.wait(dependencies.settlementWaitMs, dependencies.stopping);
    return outcomeOf(await readWallet(dependencies.database, id), id);
  } finally {
    settlement.stop();
  }
};

const outcomeOf = (wallet: Wallet | undefined, id: WalletId): Result<ActiveWallet> => {
  switch (wallet?.status) {
    case undefined:
      return fail("WalletNotFound", { walletId: id });
    case "Active":
      return ok(wallet);
    case "Failed":
      return { ok: false, problem: wallet.problem };
    case "Creating":
      return fail("RequestInProgress", { walletId: id });
  }
};
