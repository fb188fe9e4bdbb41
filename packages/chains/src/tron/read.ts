import type { TransactionReading } from "@conclave/custody";
import type { TransferToRead } from "../exact-bytes/exact-reading.ts";
import { type Mismatch, mustEqual } from "../mismatch.ts";
import type { TronContract } from "./contract.ts";
import { effectsOfTronContract } from "./effects.ts";
import { TRON_EXCLUSION } from "./exclusion.ts";
import { tronContractOf } from "./plan.ts";
import { latestOf, tagIn, tronTagOf } from "./request-tag.ts";
import type { TronTransfer } from "./rules/act.ts";
import { type TronDraft, tronDigest } from "./transaction.ts";

/**
 * The longest that a transfer may be valid for by its own times: until then nothing can follow it. Nodes do not
 * look at a timestamp, so this is no bound for a caller that chooses both times: that one is the signers' own
 * (`DEADLINE_AHEAD_MS_MAX`).
 */
const LIFETIME_MS_MAX = 3_600_000n;

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

/**
 * A transfer, field for field; its times hold the request's tag, so that no other request's are the same bytes (INV-4). The
 * orchestrator chooses the block that it refers to, the rest of its times, and the limit. Which chain it is for no bytes tell, so a key
 * has wallets on one network of TRON alone.
 */
export const tronTransferMismatch = ({
  draft,
  transfer,
  requestId,
}: TransferToRead<unknown, TronTransfer, TronDraft>): Mismatch | undefined => {
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

/**
 * The reading of a transaction: its digest is the one thing that is signed.
 *
 * The sun burnt for bandwidth and for a new account is not in the bytes: the chain's own prices set it, for any
 * author.
 */
export const readingOfTron = (
  _network: unknown,
  unsigned: Uint8Array,
  { feeLimit, expirationMs, contract }: TronDraft,
): TransactionReading => ({
  signables: [{ scheme: "CGGMP24", bytes: tronDigest(unsigned) }],
  exclusion: TRON_EXCLUSION,
  deadlineMs: Number(expirationMs),
  fee: feeLimit,
  effects: effectsOfTronContract(contract),
});
