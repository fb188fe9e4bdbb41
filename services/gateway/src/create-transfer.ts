import { isDeepStrictEqual } from "node:util";
import {
  type ActiveWallet,
  type AuthorisedTransfer,
  allowWithoutPolicies,
  fail,
  type JudgedTransfer,
  judgeTransfer,
  ok,
  type Result,
  type Transfer,
  type TransferBody,
  transferIdSchema,
  transferRequested,
  type WalletId,
} from "@conclave/custody";
import {
  appendToOutbox,
  type Caller,
  freshId,
  insertTransfer,
  Outage,
  readTransferByExternalId,
  recordEvents,
  transferRequest,
} from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";
import { requesterOf } from "./requester.ts";
import { visibleWallet } from "./visible-wallet.ts";

/**
 * Accepts a transfer: judged, authorised, and the row, its event and its request committed together. From here on
 * it comes to an end, whatever fails in between (INV-5).
 * The same body with the same externalId answers the transfer that it made before (wire interface, section E.5).
 * @returns the transfer; WalletNotFound, what `judgeTransfer` refuses, or ExternalIdConflict
 */
export const createTransfer = async (
  dependencies: Dependencies,
  caller: Caller,
  walletId: WalletId,
  body: TransferBody,
): Promise<Result<Transfer>> => {
  const wallet = await visibleWallet(dependencies.database, caller, walletId);
  if (!wallet.ok) return wallet;
  const judged = judgeTransfer(wallet.value.network, body);
  if (!judged.ok) return judged;
  const earlier = await earlierTransfer(dependencies, caller, walletId, body);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(earlier.value);
  if (!dependencies.bus.connected()) throw new Outage("message bus", undefined);

  const transfer = newTransfer(dependencies, caller, wallet.value, body, judged.value);
  const inserted = await dependencies.database.transaction(async (connection) => {
    if (!(await insertTransfer(connection, transfer))) return false;
    await recordEvents(connection, [transferRequested(transfer)]);
    await appendToOutbox(connection, transferRequest(transfer.id));
    return true;
  });
  // another request with this externalId came in between; that one is answered, or conflicts
  return inserted ? ok(transfer) : createTransfer(dependencies, caller, walletId, body);
};

/** The transfer that this externalId made before, if any; ExternalIdConflict when it was another request. */
const earlierTransfer = async (
  { database }: Dependencies,
  caller: Caller,
  walletId: WalletId,
  body: TransferBody,
): Promise<Result<Transfer | undefined>> => {
  if (body.externalId === undefined) return ok(undefined);
  const earlier = await readTransferByExternalId(database, caller.orgId, body.externalId);
  const isSame = earlier?.walletId === walletId && isDeepStrictEqual(earlier.requestBody, body);
  if (earlier === undefined || isSame) return ok(earlier);
  return fail("ExternalIdConflict", { duplicate: { id: earlier.id, externalId: body.externalId } });
};

const newTransfer = (
  { authority, now }: Dependencies,
  caller: Caller,
  wallet: ActiveWallet,
  body: TransferBody,
  judged: JudgedTransfer,
): Transfer => {
  const date = now().toISOString();
  const policy = allowWithoutPolicies(date);
  const request: AuthorisedTransfer = {
    version: 1,
    kind: "transfer",
    requestId: freshId(transferIdSchema, "xfr"),
    orgId: wallet.orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    network: wallet.network,
    transfer: judged.transfer,
    policy,
    dateRequested: date,
  };
  return {
    id: request.requestId,
    orgId: wallet.orgId,
    walletId: wallet.id,
    network: wallet.network,
    requester: requesterOf(caller),
    requestBody: body,
    metadata: { asset: judged.asset },
    externalId: body.externalId,
    status: "Pending",
    reason: undefined,
    policyDecision: policy,
    authorisation: authority(request),
    nonce: undefined,
    unsignedTransaction: undefined,
    signedTransaction: undefined,
    txHash: undefined,
    blockNumber: undefined,
    blockHash: undefined,
    fee: undefined,
    dateRequested: date,
    datePolicyResolved: date,
    dateBroadcasted: undefined,
    dateConfirmed: undefined,
  };
};
