import { isDeepStrictEqual } from "node:util";
import {
  type ActiveWallet,
  type CreatingKey,
  type CreatingWallet,
  fail,
  type KeyId,
  type Network,
  ok,
  type Result,
  type Wallet,
  walletIdSchema,
} from "@conclave/custody";
import { insertWallet, readWallet, readWalletByExternalId } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { type BroughtShares, insertKeyRequest } from "../key/key-request.ts";
import { type RecordedCaller, requesterOf } from "../people/requester.ts";
import { takenExternalId } from "../people/taken-external-id.ts";
import type { Viewer } from "../people/viewer.ts";
import { hearSettlement } from "../settlement.ts";

/** The wallet's fields in a request. */
export interface WalletRequest {
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** the body as sent: the same body with the same externalId gives the same wallet */
  readonly requestBody: Readonly<Record<string, unknown>>;
}

/**
 * The wallet that was made earlier with this externalId, if any (wire interface, section E.5); ExternalIdConflict when
 * it was a different request.
 */
export const earlierWallet = async (
  { database }: Pick<Dependencies, "database">,
  caller: Viewer,
  { externalId, requestBody }: WalletRequest,
): Promise<Result<Wallet | undefined>> => {
  if (externalId === undefined) return ok(undefined);
  const earlier = await readWalletByExternalId(database, caller.orgId, externalId);
  if (earlier === undefined) return ok(undefined);
  // two end users may send the same externalId: neither gets the other's wallet
  const isTheirs = caller.isEndUser !== true || earlier.requester.userId === caller.userId;
  if (isTheirs && isDeepStrictEqual(earlier.requestBody, requestBody)) return ok(earlier);
  return takenExternalId(externalId, earlier, isTheirs);
};

export const newWallet = (
  { now, world }: Pick<Dependencies, "now" | "world">,
  caller: RecordedCaller,
  on: { readonly network: Network; readonly keyId: KeyId },
  { name, externalId, tags, requestBody }: WalletRequest,
): CreatingWallet => ({
  id: world.freshId(walletIdSchema, "wa"),
  orgId: caller.orgId,
  ...on,
  name,
  externalId,
  tags: [...new Set(tags)],
  requester: requesterOf(caller),
  requestBody,
  dateCreated: now().toISOString(),
  status: "Creating",
});

/**
 * Commits the wallet, its key, the authorisation and the due row together, then waits for the signers.
 * @param brought the client's envelopes for the signers, when the client imports its own key
 * @returns the active wallet, the signers' problem, or RequestInProgress when the key takes longer than callers wait;
 * "taken" when another wallet has got the externalId meanwhile
 */
export const requestWallet = async (
  { database, bus, settlementWaitMs, stopping, world }: Dependencies,
  wallet: CreatingWallet,
  key: CreatingKey,
  brought?: BroughtShares,
): Promise<Result<ActiveWallet> | "taken"> => {
  const settlement = hearSettlement({ bus, stopping, world }, key.id);
  try {
    const isInserted = await database.transaction(async (connection) => {
      if (!(await insertWallet(connection, wallet))) return false;
      await insertKeyRequest(connection, key, brought);
      return true;
    });
    if (!isInserted) return "taken";
    const read = () => readWallet(database, wallet.id);
    const made = await settlement.until(settlementWaitMs, read, isMade);
    return walletOutcome(made === "away" ? wallet : made, wallet);
  } finally {
    settlement.stop();
  }
};

const isMade = (wallet: Wallet | undefined): boolean => wallet?.status !== "Creating";

/** Waits for an earlier wallet, which may still be in the making. */
export const settledWallet = async (
  { database, bus, settlementWaitMs, stopping, world }: Dependencies,
  earlier: Wallet,
): Promise<Result<ActiveWallet>> => {
  const settlement = hearSettlement({ bus, stopping, world }, earlier.keyId);
  try {
    const wallet = await readWallet(database, earlier.id);
    if (isMade(wallet)) return walletOutcome(wallet, earlier);
    const read = () => readWallet(database, earlier.id);
    const made = await settlement.until(settlementWaitMs, read, isMade);
    return walletOutcome(made === "away" ? wallet : made, earlier);
  } finally {
    settlement.stop();
  }
};

/** The answer to the caller of a request, by the wallet's row. */
export const walletOutcome = (
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
