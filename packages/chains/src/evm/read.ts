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

/** A field that the caller may leave to the service: any value if left out, otherwise exactly the caller's. */
const mustEqualIfFixed = (
  field: string,
  is: bigint | number | string,
  fixed: bigint | number | string | undefined,
): Mismatch | undefined => (fixed === undefined ? undefined : mustEqual(field, is, fixed));

/** The rules for every transaction of a network: it is for the network's chain, and only the wallet signs it. */
const frameMismatch = (network: ReadableNetwork, transaction: AnyUnsigned, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("chainId", transaction.chainId, network.chainId) ??
  mustEqual("cosigners", act.cosigners.length, 0);

/** The content of a transaction, byte for byte. An access list is refused: the service writes none. */
const callMismatch = (transaction: AnyUnsigned, call: Call): Mismatch | undefined =>
  (transaction.type === 1 ? { field: "type", is: "1", authorised: "0 or 2" } : undefined) ??
  mustEqual("accessList", transaction.accessListLength, 0) ??
  mustEqual("to", transaction.to ?? "none", call.to?.toLowerCase() ?? "none") ??
  mustEqual("value", transaction.value, call.value) ??
  mustEqual("data", transaction.data, call.data);

/** The frame fields that the caller fixed. */
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
  // a replacement must have the replaced transaction's nonce: otherwise both could land (INV-4)
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
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly the authorised act, on the
 * network's chain, at a cost within the network's cap and the authority's limit.
 * @param network the entry of the reader's own networks file; feeCap in wei as digits, for the whole transaction
 * @param unsigned the whole unsigned transaction as it was received
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns keccak256 of the bytes as the only message to sign; TransactionUnreadable, TransactionMismatch (details.field) or
 * FeeAboveCap
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

/** The authority's limit on the fee, if any. */
const maxFeeOf = (act: EvmAct): bigint | undefined =>
  act.kind === "transaction" && act.transaction.kind === "Call" && act.transaction.maxFee !== undefined
    ? BigInt(act.transaction.maxFee)
    : undefined;

/** The reading of a transaction that may be signed. @returns FeeAboveCap when its fee exceeds a limit */
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
    // an EVM transaction never expires
    deadlineMs: undefined,
    fee,
    effects: effectsOfDecoded(network.chainId, transaction),
  });
};
