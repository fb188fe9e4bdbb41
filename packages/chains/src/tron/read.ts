import {
  type Act,
  fail,
  ok,
  type Result,
  type TransactionReading,
  type TronTransfer,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import type { TronContract } from "./contract.ts";
import { effectsOfTronContract } from "./effects.ts";
import { TRON_EXCLUSION } from "./exclusion.ts";
import type { ReadableTron } from "./network.ts";
import { parseTronTransaction, parseTronTransfer } from "./parse-content.ts";
import { tronContractOf } from "./plan.ts";
import { latestOf, tagIn, tronTagOf } from "./request-tag.ts";
import { decodeTron, type TronDraft, tronDigest } from "./transaction.ts";

/**
 * The longest that a transfer may be valid for by its own times: until then nothing can follow it. Nodes do not
 * look at a timestamp, so this is no bound for a caller that chooses both times: that one is the signers' own
 * (`DEADLINE_AHEAD_MS_MAX`).
 */
const LIFETIME_MS_MAX = 3_600_000n;

/** The rules for every transaction of a network: no signer but the wallet, and no replacement. */
const frameMismatch = (network: ReadableTron, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

/** Every field of a contract by its name, so that two kinds can be compared. */
const fieldsOf = (contract: TronContract): Readonly<Record<string, string | bigint>> => {
  const { type, from } = contract;
  switch (contract.type) {
    case "TransferContract":
      return { type, from, to: contract.to, amount: contract.amount };
    case "TransferAssetContract":
      return { type, tokenId: contract.tokenId, from, to: contract.to, amount: contract.amount };
    case "TriggerSmartContract":
      return { type, contract: contract.contract, from, ...contract.call };
  }
};

const contractMismatch = (is: TronContract, authorised: TronContract): Mismatch | undefined => {
  const [found, wanted] = [fieldsOf(is), fieldsOf(authorised)];
  for (const field of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const mismatch = mustEqual(field, found[field] ?? "none", wanted[field] ?? "none");
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

/** A transfer, field for field; its times hold the request's tag, so that no other request's are the same bytes (INV-4). */
const transferMismatch = (
  draft: TronDraft,
  transfer: TronTransfer,
  requestId: string,
): Mismatch | undefined => {
  const contract = contractMismatch(draft.contract, tronContractOf(transfer));
  if (contract !== undefined) return contract;
  const [is, wanted] = [tagIn(draft), tronTagOf(requestId)];
  const isSoon = draft.expirationMs <= latestOf(draft.timestampMs) + LIFETIME_MS_MAX;
  return (
    mustEqual("timestamp", is.timestamp, wanted.timestamp) ??
    mustEqual("expiration", is.expiration, wanted.expiration) ??
    mustEqual("expiration", isSoon ? "within an hour" : "later", "within an hour")
  );
};

const actMismatch = (unsigned: Uint8Array, draft: TronDraft, act: Act): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseTronTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(draft, transfer.value, act.requestId)) : transfer;
  }
  const wanted = parseTronTransaction(act.transaction);
  if (!wanted.ok) return wanted;
  return ok(
    mustEqual("bytes", bytesToHex(unsigned), wanted.value.unsigned) ??
      mustEqual("from", draft.contract.from, wanted.value.from),
  );
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the one encoding of exactly what was authorised, of the wallet's
 * account, with the request's tag, and allow no call to spend more than the network's cap. The orchestrator chooses the block
 * that it refers to, the rest of its times, and the limit. Which chain it is for no bytes tell, so a key has wallets on one
 * network of TRON alone.
 * @param network the entry of the reader's own networks file
 * @param unsigned the bytes of raw_data as they travelled
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns its digest as the one thing that is signed; TransactionUnreadable, TransactionMismatch
 * (details.field) or FeeAboveCap
 */
export const readTronTransaction = (
  network: ReadableTron,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeTron(unsigned);
  if (!decoded.ok) return decoded;
  const frame = frameMismatch(network, act);
  if (frame !== undefined) return refuseMismatch(frame);
  const mismatch = actMismatch(unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readTronDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/**
 * The reading of a transaction that may be signed. FeeAboveCap when it may cost too much.
 *
 * The sun burnt for bandwidth and for a new account is not in the bytes: the chain's own prices set it, for any
 * author.
 */
export const readTronDraft = (
  { feeCap }: Pick<ReadableTron, "feeCap">,
  unsigned: Uint8Array,
  { feeLimit, expirationMs, contract }: TronDraft,
): Result<TransactionReading> => {
  if (feeLimit > BigInt(feeCap)) return fail("FeeAboveCap", { fee: feeLimit.toString(), feeCap });
  return ok({
    signables: [{ scheme: "CGGMP24", bytes: tronDigest(unsigned) }],
    exclusion: TRON_EXCLUSION,
    deadlineMs: Number(expirationMs),
    fee: feeLimit,
    effects: effectsOfTronContract(contract),
  });
};
