import { isDeepStrictEqual } from "node:util";
import { addressOn } from "@conclave/chains";
import {
  type ActiveWallet,
  type CreateWalletBody,
  type CreatingKey,
  type CreatingWallet,
  decideWallet,
  fail,
  judgeKeyOnNetwork,
  judgeKeyOptions,
  judgeKeyUser,
  judgeNetwork,
  judgeWalletKeyFormat,
  type KeyId,
  type Network,
  ok,
  type Result,
  signingKeyOf,
  type Wallet,
  walletIdSchema,
} from "@conclave/custody";
import {
  appendToOutbox,
  type Connection,
  freshId,
  insertKey,
  insertWallet,
  keyRequest,
  listWalletsOfKey,
  lockKey,
  readWallet,
  readWalletByExternalId,
  recordEvents,
} from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";
import { newKey, ownerOfNewKey } from "./new-key.ts";
import { requesterOf } from "./requester.ts";
import { hearSettlement } from "./settlement.ts";
import { isShownTo, type Viewer } from "./viewer.ts";

/**
 * Creates a wallet with a key of its own, or on a key that there is. The same body with the same externalId answers
 * the wallet that it made before (wire interface, section E.5).
 * @returns the active wallet; what `judgeNetwork`, `judgeKeyOptions` and `judgeWalletKeyFormat` refuse, DelegateUnknown,
 *   ExternalIdConflict; on a key that there is KeyNotFound, KeyDelegated, KeyOptionsMismatch, KeyFormatMismatch or
 *   KeyNetworkTaken; else the signers' problem, or RequestInProgress when the key takes longer than callers wait
 */
export const createWallet = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet>> => {
  const network = judgeNetwork(body.network, dependencies.networks);
  if (!network.ok) return network;
  const options = judgeKeyOptions(body.signingKey ?? {});
  if (!options.ok) return options;
  const earlier = await earlierWallet(dependencies, caller, body);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return settledWallet(dependencies, earlier.value);
  const keyId = body.signingKey?.id;
  const made =
    keyId === undefined
      ? await withNewKey(dependencies, caller, network.value, body)
      : await onKey(dependencies, caller, network.value, keyId, body);
  // another request with this externalId came in between; that one is answered, or conflicts
  return made === "taken" ? createWallet(dependencies, caller, body) : made;
};

/** The wallet that this externalId made before, if any; ExternalIdConflict when it was another request. */
const earlierWallet = async (
  { database }: Dependencies,
  caller: Viewer,
  body: CreateWalletBody,
): Promise<Result<Wallet | undefined>> => {
  if (body.externalId === undefined) return ok(undefined);
  const earlier = await readWalletByExternalId(database, caller.orgId, body.externalId);
  if (earlier === undefined) return ok(undefined);
  // two end users may well send the same: each is answered with its own wallet, or with none
  const isTheirs = caller.isEndUser !== true || earlier.requester.userId === caller.userId;
  if (!isTheirs) return fail("ExternalIdConflict", { duplicate: { externalId: body.externalId } });
  if (isDeepStrictEqual(earlier.requestBody, body)) return ok(earlier);
  return fail("ExternalIdConflict", { duplicate: { id: earlier.id, externalId: body.externalId } });
};

const newWallet = (
  { now }: Dependencies,
  caller: Viewer,
  network: Network,
  keyId: KeyId,
  body: CreateWalletBody,
): CreatingWallet => ({
  id: freshId(walletIdSchema, "wa"),
  orgId: caller.orgId,
  keyId,
  name: body.name,
  network,
  externalId: body.externalId,
  tags: [...new Set(body.tags)],
  requester: requesterOf(caller),
  requestBody: body,
  dateCreated: now().toISOString(),
  status: "Creating",
});

/** The wallet, its key, the authorisation and the request commit together, then it waits for the signers. */
const withNewKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  network: Network,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet> | "taken"> => {
  const scheme = judgeWalletKeyFormat(network, body.signingKey ?? {});
  if (!scheme.ok) return scheme;
  const owner = await ownerOfNewKey(dependencies.database, caller, body);
  if (!owner.ok) return owner;
  const key = newKey(dependencies, caller, scheme.value, {
    delegatedTo: owner.value,
    isDelegable: body.delayDelegation === true,
  });
  const wallet = newWallet(dependencies, caller, network, key.id, body);
  const settlement = await hearSettlement(dependencies.bus, key.id);
  try {
    const inserted = await dependencies.database.transaction((connection) =>
      insertTogether(connection, wallet, key),
    );
    if (!inserted) return "taken";
    await settlement.wait(dependencies.settlementWaitMs, dependencies.stopping);
    return outcomeOf(await readWallet(dependencies.database, wallet.id), wallet);
  } finally {
    settlement.stop();
  }
};

const insertTogether = async (
  connection: Connection,
  wallet: CreatingWallet,
  key: CreatingKey,
): Promise<boolean> => {
  if (!(await insertWallet(connection, wallet))) return false;
  await insertKey(connection, key);
  await appendToOutbox(connection, keyRequest(key.id));
  return true;
};

/** A wallet on a key that the signers hold already is active at once. */
const onKey = (
  dependencies: Dependencies,
  caller: Viewer,
  network: Network,
  keyId: KeyId,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet> | "taken"> =>
  dependencies.database.transaction(async (connection) => {
    const key = await lockKey(connection, keyId);
    if (key?.orgId !== caller.orgId || key.status !== "Active" || !isShownTo(caller, key)) {
      return fail("KeyNotFound", { keyId, orgId: caller.orgId });
    }
    const user = judgeKeyUser(key, caller.userId);
    if (!user.ok) return user;
    const fitting = judgeKeyOnNetwork(network, key.scheme, body.signingKey);
    if (!fitting.ok) return fitting;
    const isAsTheKey = body.delegateTo === undefined || body.delegateTo === key.delegatedTo;
    if (!isAsTheKey || body.delayDelegation === true) return fail("KeyOptionsMismatch", { keyId });
    const others = await listWalletsOfKey(connection, keyId);
    const duplicate = others.find((other) => other.network === network);
    if (duplicate !== undefined) {
      return fail("KeyNetworkTaken", { keyId, network, duplicate: { id: duplicate.id } });
    }
    const wallet = newWallet(dependencies, caller, network, keyId, body);
    const decided = decideWallet(wallet, {
      kind: "KeyActivated",
      signingKey: signingKeyOf(key),
      address: addressOn(network, key.publicKey),
      date: wallet.dateCreated,
    });
    if (!decided.ok) return decided;
    if (!(await insertWallet(connection, decided.value.wallet))) return "taken";
    await recordEvents(connection, decided.value.events);
    return outcomeOf(decided.value.wallet, wallet);
  });

/** Waits for a wallet that an earlier request made, which may still be in the making. */
const settledWallet = async (dependencies: Dependencies, earlier: Wallet): Promise<Result<ActiveWallet>> => {
  const settlement = await hearSettlement(dependencies.bus, earlier.keyId);
  try {
    const wallet = await readWallet(dependencies.database, earlier.id);
    if (wallet?.status !== "Creating") return outcomeOf(wallet, earlier);
    await settlement.wait(dependencies.settlementWaitMs, dependencies.stopping);
    return outcomeOf(await readWallet(dependencies.database, earlier.id), earlier);
  } finally {
    settlement.stop();
  }
};

const outcomeOf = (
  wallet: Wallet | undefined,
  { id, keyId }: Pick<Wallet, "id" | "keyId">,
): Result<ActiveWallet> => {
  switch (wallet?.status) {
    case undefined:
    case "Archived":
      return fail("WalletNotFound", { walletId: id });
    case "Active":
      return ok(wallet);
    case "Failed":
      return { ok: false, problem: wallet.problem };
    case "Creating":
      return fail("RequestInProgress", { walletId: id, keyId });
  }
};
