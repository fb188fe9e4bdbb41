import { decodeAnyUnsigned, feesOfUnsigned, judgeNonce, readAuthorised } from "@conclave/chains";
import {
  type AuthorisedTransaction,
  allowWithoutPolicies,
  type ChainRequest,
  type ChainWallet,
  fail,
  judgeReplacement,
  judgeTransaction,
  ok,
  type Result,
  type Transaction,
  type TransactionBody,
  transactionIdSchema,
  UNTOUCHED,
  type WalletId,
  type WantedFees,
} from "@conclave/custody";
import { type Caller, freshId, highestNonce, listSignedWithNonce, Outage } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requesterOf } from "../people/requester.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";
import { accept, type Draft } from "./accept-request.ts";
import { earlierRequest } from "./earlier-request.ts";
import { actOfRequest, judgeReplaceable } from "./request-act.ts";
import { untilBroadcast } from "./until-broadcast.ts";

type Wanted = AuthorisedTransaction["transaction"];

/**
 * Accepts a transaction of the caller's making, and waits for its broadcast. The same body with the same externalId answers the one that it made
 * before. One with the account nonce of a request that waits takes that one's place.
 * @returns the transaction; WalletNotFound, what `judgeTransaction` refuses, ExternalIdConflict, NonceUsed, NonceGap,
 *   RequestReplaced, ReplacementUnderpriced, or what is wrong with the bytes of a `Transaction` template
 */
export const createTransaction = async (
  dependencies: Dependencies,
  caller: Caller,
  walletId: WalletId,
  body: TransactionBody,
): Promise<Result<Transaction>> => {
  const { database } = dependencies;
  const wallet = await payingWallet(database, caller, walletId);
  if (!wallet.ok) return wallet;
  const wanted = judgeTransaction(wallet.value.network, body);
  if (!wanted.ok) return wanted;
  const earlier = await earlierRequest(database, caller, "Transaction", walletId, body);
  if (!earlier.ok) return earlier;
  if (earlier.value?.kind === "Transaction") return ok(earlier.value);
  const replaced = await judgePlace(dependencies, wallet.value, wanted.value);
  if (!replaced.ok) return replaced;
  if (!dependencies.bus.connected()) throw new Outage("message bus", undefined);

  const { orgId, network } = wallet.value;
  const id = freshId(transactionIdSchema, "tx");
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
  const accepted = await untilBroadcast(dependencies, id, () =>
    database.transaction(async (connection) => {
      const actOf = demand(await actOfRequest(connection, wallet.value, draft));
      demand(judgeBytes(dependencies, wanted.value, actOf(allowWithoutPolicies(draft.dateRequested))));
      return accept(dependencies, connection, wallet.value, draft, actOf);
    }),
  );
  // another request with this externalId came in between; that one is answered, or conflicts
  return accepted?.kind === "Transaction"
    ? ok(accepted)
    : createTransaction(dependencies, caller, walletId, body);
};

interface Wish {
  readonly nonce: number | undefined;
  readonly fees: WantedFees;
}

/** The nonce and fees that the caller fixed. */
const wishOf = (wanted: Wanted): Result<Wish> => {
  if (wanted.kind === "Exact") {
    const decoded = decodeAnyUnsigned(Buffer.from(wanted.unsigned, "hex"));
    return decoded.ok
      ? ok({ nonce: Number(decoded.value.nonce), fees: decoded.value })
      : invalid(decoded.problem);
  }
  const { nonce, fees } = wanted;
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));
  const [cap, tip] =
    fees?.kind === "Legacy"
      ? [fees.gasPrice, fees.gasPrice]
      : [fees?.maxFeePerGas, fees?.maxPriorityFeePerGas];
  return ok({ nonce, fees: { maxFeePerGas: numberOf(cap), maxPriorityFeePerGas: numberOf(tip) } });
};

/**
 * Judges a caller's nonce at once, as far as it can be known: the orchestrator judges it again, under the wallet's lock.
 * @returns the request whose place it takes, undefined when it takes none
 */
const judgePlace = async (
  { database, chains }: Dependencies,
  wallet: ChainWallet,
  wanted: Wanted,
): Promise<Result<ChainRequest | undefined>> => {
  const wish = wishOf(wanted);
  if (!wish.ok) return wish;
  const { nonce, fees } = wish.value;
  if (nonce === undefined) return ok(undefined);
  const waiting = (await listSignedWithNonce(database, wallet.id, nonce)).filter(
    ({ status }) => status === "Executing" || status === "Broadcasted",
  );
  const head = waiting.find(({ replacementId }) => replacementId === undefined) ?? waiting[0];
  if (head?.unsignedTransaction !== undefined) {
    const replaceable = judgeReplaceable(head);
    if (!replaceable.ok) return replaceable;
    const judged = judgeReplacement(feesOfUnsigned(head.unsignedTransaction), fees);
    return judged.ok ? ok(head) : judged;
  }
  const count = await chains.get(wallet.network)?.count(wallet.address);
  if (!count?.ok) return ok(undefined);
  const ours = (await highestNonce(database, wallet.id)) ?? -1;
  const judged = judgeNonce(nonce, Math.max(count.value.pending, ours + 1));
  return judged.ok ? ok(undefined) : judged;
};

/** A caller's own bytes are read as the signers will read them, so that nothing is accepted that they refuse. */
const judgeBytes = (
  { chains }: Dependencies,
  wanted: Wanted,
  act: Parameters<typeof readAuthorised>[2],
): Result<void> => {
  const chain = chains.get(act.network);
  if (wanted.kind === "Call" || chain === undefined) return ok(undefined);
  const read = readAuthorised(chain.network, Buffer.from(wanted.unsigned, "hex"), act);
  return read.ok ? ok(undefined) : invalid(read.problem);
};

/** To a client a mismatch is its own mistake, not a forbidden act. */
const invalid = ({
  code,
  message,
  details,
}: Extract<Result<never>, { ok: false }>["problem"]): Result<never> =>
  code === "TransactionMismatch"
    ? fail("TransactionInvalid", details, message)
    : fail(code, details, message);
