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
 * The longest validity of a transfer by its own times; until it expires, no further transaction of its request is signed. Nodes
 * ignore the timestamp, so this does not bound a caller's own bytes: the signers' own limit does (`DEADLINE_AHEAD_MS_MAX`).
 */
const LIFETIME_MS_MAX = 3_600_000n;

/** The fields of a contract by name, for comparing contracts of any kind. */
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
 * Compares a transfer field by field. Its times must hold the request's tag, so that no other request has the same bytes
 * (INV-4). The orchestrator chooses the referenced block, the rest of the times, and the fee limit. No bytes name the chain;
 * therefore a key has wallets on only one TRON network.
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
 * The reading of a transaction. There is one digest to sign.
 *
 * The fee does not include the sun burnt for bandwidth or a new account: it is not in the bytes, but set by the chain's prices.
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
