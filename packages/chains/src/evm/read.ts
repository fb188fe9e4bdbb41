import { type Act, fail, ok, type Result, type TransactionReading } from "@conclave/custody";
import { bytesToHex, keccak256 } from "viem/utils";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { type Call, callOf, requestedCall } from "./calls/call.ts";
import { type AnyUnsigned, decodeAnyUnsigned } from "./decode-any.ts";
import { effectsOfDecoded } from "./effects.ts";
import { exclusionOf } from "./exclusion.ts";
import { feeCapOf, wholeFee } from "./fees/fees.ts";
import type { ReadableNetwork } from "./network.ts";
import { parseTransaction, parseTransfer } from "./parse-content.ts";
import type { EvmCall, EvmTransaction, EvmTransfer } from "./rules/act.ts";

/** A field that its caller may have left to the service: free when it did, and exactly the caller's when not. */
const mustEqualIfFixed = (
  field: string,
  is: bigint | number | string,
  fixed: bigint | number | string | undefined,
): Mismatch | undefined => (fixed === undefined ? undefined : mustEqual(field, is, fixed));

/** The rules for every transaction of a network: its chain, and no signer but the wallet. */
const frameMismatch = (network: ReadableNetwork, transaction: AnyUnsigned, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("chainId", transaction.chainId, network.chainId) ??
  mustEqual("cosigners", act.cosigners.length, 0);

/** The act of a transaction, byte for byte. An access list is nobody's wish: the service writes none. */
const callMismatch = (transaction: AnyUnsigned, call: Call): Mismatch | undefined =>
  (transaction.type === 1 ? { field: "type", is: "1", authorised: "0 or 2" } : undefined) ??
  mustEqual("accessList", transaction.accessListLength, 0) ??
  mustEqual("to", transaction.to ?? "none", call.to?.toLowerCase() ?? "none") ??
  mustEqual("value", transaction.value, call.value) ??
  mustEqual("data", transaction.data, call.data);

/** The fields of its frame that the caller fixed. */
const wishMismatch = (transaction: AnyUnsigned, call: EvmCall): Mismatch | undefined =>
  mustEqualIfFixed("nonce", transaction.nonce, call.nonce) ??
  mustEqualIfFixed("gasLimit", transaction.gasLimit, call.gasLimit) ??
  feesMismatch(transaction, call.fees);

const feesMismatch = (transaction: AnyUnsigned, fees: EvmCall["fees"]): Mismatch | undefined => {
  switch (fees?.kind) {
    case undefined:
      return undefined;
    case "Legacy":
      return (
        mustEqual("type", transaction.type, 0) ??
        mustEqualIfFixed("gasPrice", transaction.maxFeePerGas, fees.gasPrice)
      );
    case "Eip1559":
      return (
        mustEqual("type", transaction.type, 2) ??
        mustEqualIfFixed("maxFeePerGas", transaction.maxFeePerGas, fees.maxFeePerGas) ??
        mustEqualIfFixed("maxPriorityFeePerGas", transaction.maxPriorityFeePerGas, fees.maxPriorityFeePerGas)
      );
  }
};

/** The authorised content, in EVM's own form. */
type EvmAct =
  | { readonly kind: "transfer"; readonly transfer: EvmTransfer }
  | { readonly kind: "transaction"; readonly transaction: EvmTransaction; readonly isReplacement: boolean };

const parseAct = (act: Act): Result<EvmAct> => {
  if (act.kind === "transfer") {
    const transfer = parseTransfer(act.transfer);
    return transfer.ok ? ok({ kind: "transfer", transfer: transfer.value }) : transfer;
  }
  const transaction = parseTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  return ok({
    kind: "transaction",
    transaction: transaction.value,
    isReplacement: act.replaces !== undefined,
  });
};

const actMismatch = (transaction: AnyUnsigned, unsigned: Uint8Array, act: EvmAct): Mismatch | undefined => {
  if (act.kind === "transfer") return callMismatch(transaction, callOf(act.transfer));
  const { transaction: wanted, isReplacement } = act;
  // a replacement has the replaced one's nonce: without it, both could land (INV-4)
  const misplaced = isReplacement
    ? mustEqual("nonce", transaction.nonce, wanted.nonce)
    : mustEqualIfFixed("nonce", transaction.nonce, wanted.nonce);
  if (misplaced !== undefined) return misplaced;
  switch (wanted.kind) {
    case "Exact":
      return mustEqual("bytes", bytesToHex(unsigned), `0x${wanted.unsigned}`);
    case "Call":
      return callMismatch(transaction, requestedCall(wanted)) ?? wishMismatch(transaction, wanted);
  }
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly what was authorised,
 * on the network's chain, and cost no more than the network's cap, nor than the authority allows.
 * @param network the entry of the reader's own networks file; feeCap in wei as digits, for the whole transaction
 * @param unsigned the whole unsigned transaction as it travelled
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns keccak256 of the bytes as the one thing that is signed; TransactionUnreadable, TransactionMismatch
 *   (details.field) or FeeAboveCap
 */
export const readEvmTransaction = (
  network: ReadableNetwork,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const transaction = decoded.value;
  const wanted = parseAct(act);
  if (!wanted.ok) return wanted;
  const mismatch =
    frameMismatch(network, transaction, act) ?? actMismatch(transaction, unsigned, wanted.value);
  if (mismatch !== undefined) return refuseMismatch(mismatch);
  return readDecoded(
    { ...network, feeCap: feeCapOf(network, maxFeeOf(wanted.value)).toString() },
    unsigned,
    transaction,
  );
};

/** The authority's limit of its cost, where it has one. */
const maxFeeOf = (act: EvmAct): bigint | undefined =>
  act.kind === "transaction" && act.transaction.kind === "Call" && act.transaction.maxFee !== undefined
    ? BigInt(act.transaction.maxFee)
    : undefined;

/** The reading of a transaction that may be signed. FeeAboveCap when it costs too much. */
export const readDecoded = (
  network: ReadableNetwork,
  unsigned: Uint8Array,
  transaction: AnyUnsigned,
): Result<TransactionReading> => {
  const fee = wholeFee(transaction.gasLimit, transaction);
  if (fee > BigInt(network.feeCap)) {
    return fail("FeeAboveCap", { fee: fee.toString(), feeCap: network.feeCap });
  }
  return ok({
    signables: [{ scheme: "CGGMP24", bytes: keccak256(unsigned, "bytes") }],
    exclusion: exclusionOf(transaction.chainId, transaction.nonce),
    // an EVM transaction waits for ever
    deadlineMs: undefined,
    fee,
    effects: effectsOfDecoded(network.chainId, transaction),
  });
};
