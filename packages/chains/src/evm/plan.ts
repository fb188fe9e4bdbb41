import { type Act, ok, type Result } from "@conclave/custody";
import { getAddress, hexToBytes } from "viem/utils";
import { type Call, callOf, requestedCall } from "./calls/call.ts";
import { type AnyUnsigned, decodeAnyUnsigned } from "./decode-any.ts";
import { parseTransaction, parseTransfer } from "./parse-content.ts";
import type { EvmCall, EvmTransfer } from "./rules/act.ts";

/** The plan to build: a call with the caller's fixed fields, or given bytes. */
export type Plan =
  | {
      readonly kind: "call";
      readonly call: Call;
      readonly nonce: bigint | undefined;
      readonly gasLimit: bigint | undefined;
      readonly fees: EvmCall["fees"];
      /** wei: the highest fee; undefined: the network's cap */
      readonly maxFee: bigint | undefined;
      /** the transfer that the call carries out, if any */
      readonly transfer: EvmTransfer | undefined;
    }
  | {
      readonly kind: "exact";
      readonly call: Call;
      readonly nonce: bigint;
      readonly unsigned: Uint8Array;
      readonly decoded: AnyUnsigned;
    };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const planOf = (act: Act): Result<Plan> => {
  if (act.kind === "transfer") {
    const transfer = parseTransfer(act.transfer);
    if (!transfer.ok) return transfer;
    const free = { nonce: undefined, gasLimit: undefined, fees: undefined, maxFee: undefined };
    return ok({ kind: "call", call: callOf(transfer.value), ...free, transfer: transfer.value });
  }
  const transaction = parseTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  return transaction.value.kind === "Call"
    ? ok(planOfCall(transaction.value))
    : planOfBytes(transaction.value.unsigned);
};

const planOfCall = (wanted: EvmCall): Plan => ({
  kind: "call",
  call: requestedCall(wanted),
  nonce: wanted.nonce === undefined ? undefined : BigInt(wanted.nonce),
  gasLimit: wanted.gasLimit === undefined ? undefined : BigInt(wanted.gasLimit),
  fees: wanted.fees,
  maxFee: wanted.maxFee === undefined ? undefined : BigInt(wanted.maxFee),
  transfer: undefined,
});

const planOfBytes = (digits: string): Result<Plan> => {
  const unsigned = hexToBytes(`0x${digits}`);
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const { to, value, data, nonce } = decoded.value;
  const call = { to: to === undefined ? undefined : getAddress(to), value, data };
  return ok({ kind: "exact", call, nonce, unsigned, decoded: decoded.value });
};
