import { isDeepStrictEqual } from "node:util";
import {
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
  judgeReplacementRoom,
  ok,
  type Result,
  type Transaction,
  type TransactionBody,
  transactionIdSchema,
  UNTOUCHED,
  type WalletId,
} from "@conclave/custody";
import { type Caller, highestSequence, listSignedWithSequence } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { transactionOfKey } from "../admission/key-turn.ts";
import { requestIdOf } from "../admission/request-id.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requestAccepted } from "../log-events.ts";
import { requesterOf } from "../people/requester.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";
import { acceptRequest, type Draft } from "./accept-request.ts";
import { earlierRequest, meantBy } from "./earlier-request.ts";
import { invalidTransaction } from "./judge-given-bytes.ts";
import { actOf, judgeReplaceable } from "./request-act.ts";
import { roomForReplacement } from "./room-for-replacement.ts";
import { untilBroadcast } from "./until-broadcast.ts";

/**
 * Accepts a caller's own transaction, and waits for its broadcast. The same body with the same externalId gives the
 * earlier transaction. A transaction that names the place of a waiting request replaces it.
 * @returns the transaction; WalletNotFound, a refusal of `judgeTransaction`, ExternalIdConflict, NonceUsed, NonceGap,
 * RequestReplaced, TooManyReplacements, ReplacementUnderpriced, or the fault in the bytes of a `Transaction` template
 */
export const createTransaction = async (
  dependencies: Dependencies,
  caller: Caller,
  walletId: WalletId,
  body: TransactionBody,
): Promise<Result<Transaction>> => {
  const { database, world } = dependencies;
  const wallet = await payingWallet(database, caller, walletId);
  if (!wallet.ok) return wallet;
  const { address, orgId, network, signingKey } = wallet.value;
  const reading = dependencies.reading.onBehalfOf(orgId);
  const wanted = await reading.transaction({ network, address, publicKey: signingKey.publicKey }, body);
  if (!wanted.ok) return wanted;
  const earlier = await earlierRequest(database, caller, "Transaction", walletId, body);
  if (!earlier.ok) return earlier;
  if (earlier.value?.kind === "Transaction") return ok(earlier.value);
  const replaced = await judgePlace(dependencies, wallet.value, wanted.value);
  if (!replaced.ok) return replaced;
  const content = inPlaceOf(dependencies, replaced.value, wanted.value);
  if (!content.ok) return content;

  const id = requestIdOf(world, transactionIdSchema, "tx", {
    orgId,
    signer: walletId,
    externalId: body.externalId,
    body: meantBy(body),
  });
  const draft: Draft = {
    ...UNTOUCHED,
    kind: "Transaction",
    id,
    orgId,
    walletId,
    network,
    requester: requesterOf(caller),
    requestBody: body,
    externalId: body.externalId,
    replacesId: replaced.value?.id,
    dateRequested: dependencies.now().toISOString(),
  };
  const act = await actOf(dependencies, database, wallet.value, draft, content.value);
  if (!act.ok) return act;
  // the organisation had its turn at the first reading
  const effects = await dependencies.reading.withoutTurn.act(act.value);
  if (!effects.ok) return effects;
  const accepted = await untilBroadcast(dependencies, id, async () => {
    const committed = await transactionOfKey(dependencies, wallet.value.keyId, async (connection) => {
      const now = demand(await actOf(dependencies, connection, wallet.value, draft, content.value));
      // another request has taken the same place meanwhile, so the replacement chain is longer
      if (!isDeepStrictEqual(now, act.value)) return undefined;
      return acceptRequest(dependencies, connection, wallet.value, draft, now, effects.value);
    });
    FAULT: reach("transfer.accepted");
    if (committed !== undefined)
      requestAccepted(dependencies.logger, { requestId: id, status: committed.status });
    return committed;
  });
  // another request came first, with this externalId or in its place: this one is judged again, against that one
  return accepted?.kind === "Transaction"
    ? ok(accepted)
    : createTransaction(dependencies, caller, walletId, body);
};

/** The content of a replacement, bound to the request that it replaces. */
const inPlaceOf = (
  { families }: Dependencies,
  replaced: ChainRequest | undefined,
  wanted: FamilyContent,
): Result<FamilyContent> =>
  replaced === undefined
    ? ok(wanted)
    : families.familyOf(replaced.network).replacements.takePlace(wanted, replaced.sequence);

/**
 * Judges the place that a caller named, as far as the gateway can know; the orchestrator judges it again, under the
 * wallet's lock.
 * @returns the request that it replaces, undefined when there is none
 */
const judgePlace = async (
  { database, chains, families }: Dependencies,
  wallet: ChainWallet,
  wanted: FamilyContent,
): Promise<Result<ChainRequest | undefined>> => {
  const { replacements } = families.familyOf(wallet.network);
  const sequence = replacements.fixedSequence(wanted);
  if (!sequence.ok) return invalidTransaction(sequence.problem);
  if (sequence.value === undefined) return ok(undefined);
  const waiting = (await listSignedWithSequence(database, wallet.id, sequence.value)).filter(
    ({ status }) => status === "Executing" || status === "Broadcasted",
  );
  const head = waiting.find(({ replacementId }) => replacementId === undefined) ?? waiting[0];
  if (head?.unsignedTransaction !== undefined) {
    const replaceable = judgeReplaceable(head);
    if (!replaceable.ok) return replaceable;
    const room = judgeReplacementRoom(await roomForReplacement({ families }, database, head), false, head.id);
    if (!room.ok) return room;
    const judged = replacements.judge(head.unsignedTransaction, wanted);
    return judged.ok ? ok(head) : judged;
  }
  const next = await chains.get(wallet.network)?.nextSequence(wallet.address);
  if (!next?.ok || next.value === undefined) return ok(undefined);
  const ours = (await highestSequence(database, wallet.id)) ?? -1n;
  const judged = replacements.judgeSequence(sequence.value, next.value > ours ? next.value : ours + 1n);
  return judged.ok ? ok(undefined) : judged;
};
