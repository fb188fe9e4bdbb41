import {
  type Act,
  type AlgorandTransfer,
  fail,
  ok,
  type Result,
  type TransactionReading,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { effectsOfDraft } from "./effects.ts";
import { algorandExclusion } from "./exclusion.ts";
import { leaseOf } from "./lease.ts";
import type { ReadableAlgorand } from "./network.ts";
import { parseAlgorandTransaction, parseAlgorandTransfer } from "./parse-content.ts";
import { type AlgorandDraft, bytesToSign, decodeAlgorand } from "./transaction.ts";

/** The chain that a transaction is for: no other takes it. */
export const chainMismatch = (network: ReadableAlgorand, draft: AlgorandDraft): Mismatch | undefined =>
  mustEqual("genesisHash", draft.genesisHash, network.genesisHash) ??
  mustEqual("genesisId", draft.genesisId ?? network.genesisId, network.genesisId);

/** The rules for every transaction of a network: its chain, no signer but the wallet, and no replacement. */
const frameMismatch = (network: ReadableAlgorand, draft: AlgorandDraft, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  chainMismatch(network, draft) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

/** A transfer, field for field; its lease is the request's, so that no other transaction of it lands beside it (INV-4). */
const transferMismatch = (
  draft: AlgorandDraft,
  transfer: AlgorandTransfer,
  requestId: string,
): Mismatch | undefined => {
  const { payment } = draft;
  const assetId = transfer.kind === "Asa" ? transfer.assetId : "none";
  return (
    mustEqual("type", payment.type, transfer.kind === "Asa" ? "axfer" : "pay") ??
    mustEqual("assetId", payment.type === "axfer" ? payment.assetId : "none", assetId) ??
    mustEqual("from", draft.from, transfer.from) ??
    mustEqual("to", payment.to, transfer.to) ??
    mustEqual("amount", payment.amount, transfer.amount) ??
    mustEqual("lease", bytesToHex(draft.lease ?? new Uint8Array(0)), bytesToHex(leaseOf(requestId)))
  );
};

const actMismatch = (unsigned: Uint8Array, draft: AlgorandDraft, act: Act): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseAlgorandTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(draft, transfer.value, act.requestId)) : transfer;
  }
  const wanted = parseAlgorandTransaction(act.transaction);
  if (!wanted.ok) return wanted;
  return ok(
    mustEqual("bytes", bytesToHex(unsigned), wanted.value.unsigned) ??
      mustEqual("from", draft.from, wanted.value.from),
  );
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly what was authorised, on
 * the network's chain, of the wallet's account, with the request's lease, and cost no more than the network's cap.
 * @param network the entry of the reader's own networks file
 * @param unsigned the whole unsigned transaction as it travelled
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns "TX" and the bytes as the one thing that is signed; TransactionUnreadable, TransactionMismatch
 * (details.field) or
 *   FeeAboveCap
 */
export const readAlgorandTransaction = (
  network: ReadableAlgorand,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeAlgorand(unsigned);
  if (!decoded.ok) return decoded;
  const frame = frameMismatch(network, decoded.value, act);
  if (frame !== undefined) return refuseMismatch(frame);
  const mismatch = actMismatch(unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readAlgorandDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/** The reading of a transaction that may be signed. FeeAboveCap when it costs too much. */
export const readAlgorandDraft = (
  network: ReadableAlgorand,
  unsigned: Uint8Array,
  draft: AlgorandDraft,
): Result<TransactionReading> => {
  const { fee } = draft;
  if (fee > BigInt(network.feeCap)) {
    return fail("FeeAboveCap", { fee: fee.toString(), feeCap: network.feeCap });
  }
  return ok({
    signables: [{ scheme: "FROST-Ed25519", bytes: bytesToSign(unsigned) }],
    exclusion: algorandExclusion(draft),
    // its bytes hold a round and no time: that it is dead is for the authority alone to say, which looks at the chain
    deadlineMs: undefined,
    fee,
    effects: effectsOfDraft(network, draft),
  });
};
