import type { TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { TransferToRead } from "../exact-bytes/exact-reading.ts";
import { type Mismatch, mustEqual } from "../mismatch.ts";
import { effectsOfAlgorandDraft } from "./effects.ts";
import { algorandExclusion } from "./exclusion.ts";
import { leaseOf } from "./lease.ts";
import type { ReadableAlgorand } from "./network.ts";
import type { AlgorandTransfer } from "./rules/act.ts";
import { type AlgorandDraft, bytesToSign } from "./transaction.ts";

/** A mismatch when the transaction is for another chain than the network's. */
export const algorandChainMismatch = (
  network: ReadableAlgorand,
  draft: AlgorandDraft,
): Mismatch | undefined =>
  mustEqual("genesisHash", draft.genesisHash, network.genesisHash) ??
  mustEqual("genesisId", draft.genesisId ?? network.genesisId, network.genesisId);

/**
 * Compares a transfer field by field. The lease must be the request's, so that at most one transaction of the request lands
 * (INV-4).
 */
export const algorandTransferMismatch = ({
  draft,
  transfer,
  requestId,
}: TransferToRead<unknown, AlgorandTransfer, AlgorandDraft>): Mismatch | undefined => {
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

/** The reading of a transaction. There is one message to sign: "TX" and the bytes. */
export const readingOfAlgorand = (
  network: ReadableAlgorand,
  unsigned: Uint8Array,
  draft: AlgorandDraft,
): TransactionReading => ({
  signables: [{ scheme: "FROST-Ed25519", bytes: bytesToSign(unsigned) }],
  exclusion: algorandExclusion(draft),
  // the bytes hold a round and no time: only the authority, which sees the chain, can say that the transaction is dead
  deadlineMs: undefined,
  fee: draft.fee,
  effects: effectsOfAlgorandDraft(network, draft),
});
