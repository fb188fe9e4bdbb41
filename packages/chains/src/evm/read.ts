import { type AuthorisedAct, type EvmCall, fail, ok, type Result } from "@conclave/custody";
import { bytesToHex, keccak256 } from "viem/utils";
import type { EvmNetwork } from "../network.ts";
import { type Call, callOf, requestedCall } from "./calls/call.ts";
import { type AnyUnsigned, decodeAnyUnsigned } from "./decode-any.ts";
import { wholeFee } from "./fees/fees.ts";

/** What a signer learns from a transaction that it agreed to. */
export interface ReadTransaction {
  /** 32 bytes: keccak256 of the unsigned bytes, the one thing that is signed */
  readonly digest: Uint8Array;
  readonly nonce: bigint;
  /** wei: the most that the transaction can cost in fees */
  readonly fee: bigint;
}

interface Mismatch {
  readonly field: string;
  readonly is: string;
  readonly authorised: string;
}

/** A field that must be this very value; undefined when it is, or when the caller left it to the service. */
const compare = (field: string, is: unknown, authorised: unknown): Mismatch | undefined =>
  authorised === undefined || String(is) === String(authorised)
    ? undefined
    : { field, is: String(is), authorised: String(authorised) };

type Network = Pick<EvmNetwork, "network" | "chainId" | "feeCap">;

/** What every transaction of a network shares. */
const frameMismatch = (
  network: Network,
  transaction: AnyUnsigned,
  authorised: AuthorisedAct,
): Mismatch | undefined =>
  compare("network", network.network, authorised.network) ??
  compare("chainId", transaction.chainId, network.chainId);

/** What a transaction does, byte for byte. An access list is nobody's wish: the service writes none. */
const callMismatch = (transaction: AnyUnsigned, call: Call): Mismatch | undefined =>
  compare("type", transaction.type, transaction.type === 1 ? "0 or 2" : undefined) ??
  compare("accessList", transaction.accessListLength, 0) ??
  compare("to", transaction.to ?? "none", call.to?.toLowerCase() ?? "none") ??
  compare("value", transaction.value, call.value) ??
  compare("data", transaction.data, call.data);

/** What of its frame the caller fixed. */
const wishMismatch = (transaction: AnyUnsigned, call: EvmCall): Mismatch | undefined =>
  compare("nonce", transaction.nonce, call.nonce) ??
  compare("gasLimit", transaction.gasLimit, call.gasLimit) ??
  feesMismatch(transaction, call.fees);

const feesMismatch = (transaction: AnyUnsigned, fees: EvmCall["fees"]): Mismatch | undefined => {
  switch (fees?.kind) {
    case undefined:
      return undefined;
    case "Legacy":
      return (
        compare("type", transaction.type, 0) ?? compare("gasPrice", transaction.maxFeePerGas, fees.gasPrice)
      );
    case "Eip1559":
      return (
        compare("type", transaction.type, 2) ??
        compare("maxFeePerGas", transaction.maxFeePerGas, fees.maxFeePerGas) ??
        compare("maxPriorityFeePerGas", transaction.maxPriorityFeePerGas, fees.maxPriorityFeePerGas)
      );
  }
};

const actMismatch = (
  transaction: AnyUnsigned,
  unsigned: Uint8Array,
  authorised: AuthorisedAct,
): Mismatch | undefined => {
  if (authorised.kind === "transfer") return callMismatch(transaction, callOf(authorised.transfer));
  const replacing = compare("nonce", transaction.nonce, authorised.replaces?.nonce);
  if (replacing !== undefined) return replacing;
  const { transaction: wanted } = authorised;
  switch (wanted.kind) {
    case "Exact":
      return compare("bytes", bytesToHex(unsigned), `0x${wanted.unsigned}`);
    case "Call":
      return callMismatch(transaction, requestedCall(wanted)) ?? wishMismatch(transaction, wanted);
  }
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly what was authorised,
 * on the network's chain, and cost no more than the network's cap.
 * @param network the entry of the signer's own networks file; feeCap in wei as digits, for the whole transaction
 * @param unsigned the whole unsigned transaction as it travelled
 * @param authorised the request whose authority signature has been verified
 * @returns the digest to sign; TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readAuthorised = (
  network: Network,
  unsigned: Uint8Array,
  authorised: AuthorisedAct,
): Result<ReadTransaction> => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const transaction = decoded.value;
  const mismatch =
    frameMismatch(network, transaction, authorised) ?? actMismatch(transaction, unsigned, authorised);
  if (mismatch !== undefined) {
    return fail(
      "TransactionMismatch",
      { ...mismatch },
      `The transaction does not do what was authorised: ${mismatch.field} differs.`,
    );
  }
  const fee = wholeFee(transaction.gasLimit, transaction);
  if (fee > BigInt(network.feeCap)) {
    return fail("FeeAboveCap", { fee: fee.toString(), feeCap: network.feeCap });
  }
  return ok({ digest: keccak256(unsigned, "bytes"), nonce: transaction.nonce, fee });
};
