import { type AuthorisedTransfer, fail, ok, type Result } from "@conclave/custody";
import { keccak256 } from "viem/utils";
import type { EvmNetwork } from "../network.ts";
import { decodeUnsigned, type UnsignedTransaction } from "./decode.ts";
import { decodeTransfer } from "./erc20.ts";
import { wholeFee } from "./fees.ts";

/** What a signer learns from a transaction that it agreed to. */
export interface ReadTransfer {
  /** 32 bytes: keccak256 of the unsigned bytes, the one thing that is signed */
  readonly digest: Uint8Array;
  readonly nonce: bigint;
  /** wei: the most that the transaction can cost in fees */
  readonly fee: bigint;
}

type Mismatch = { readonly field: string; readonly is: string; readonly authorised: string };

const differs = (field: string, is: unknown, authorised: unknown): Mismatch => ({
  field,
  is: String(is),
  authorised: String(authorised),
});

/** The fields that every transfer of a network shares. */
const frameMismatch = (
  network: Pick<EvmNetwork, "network" | "chainId">,
  transaction: UnsignedTransaction,
  authorised: AuthorisedTransfer,
): Mismatch | undefined => {
  if (authorised.network !== network.network) return differs("network", network.network, authorised.network);
  if (transaction.chainId !== network.chainId)
    return differs("chainId", transaction.chainId, network.chainId);
  if (transaction.accessListLength !== 0) return differs("accessList", transaction.accessListLength, 0);
  return undefined;
};

const nativeMismatch = (
  transaction: UnsignedTransaction,
  transfer: Extract<AuthorisedTransfer["transfer"], { kind: "Native" }>,
): Mismatch | undefined => {
  if (transaction.to !== transfer.to) return differs("to", transaction.to ?? "none", transfer.to);
  if (transaction.value !== BigInt(transfer.amount))
    return differs("value", transaction.value, transfer.amount);
  if (transaction.data !== "0x") return differs("data", transaction.data, "0x");
  return undefined;
};

const erc20Mismatch = (
  transaction: UnsignedTransaction,
  transfer: Extract<AuthorisedTransfer["transfer"], { kind: "Erc20" }>,
): Mismatch | undefined => {
  if (transaction.to !== transfer.contract) return differs("to", transaction.to ?? "none", transfer.contract);
  if (transaction.value !== 0n) return differs("value", transaction.value, 0n);
  const call = decodeTransfer(transaction.data);
  if (call === undefined) return differs("data", transaction.data, "transfer(address,uint256)");
  if (call.to !== transfer.to) return differs("data.to", call.to, transfer.to);
  if (call.amount !== BigInt(transfer.amount)) return differs("data.amount", call.amount, transfer.amount);
  return undefined;
};

const actMismatch = (
  transaction: UnsignedTransaction,
  transfer: AuthorisedTransfer["transfer"],
): Mismatch | undefined => {
  switch (transfer.kind) {
    case "Native":
      return nativeMismatch(transaction, transfer);
    case "Erc20":
      return erc20Mismatch(transaction, transfer);
  }
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly the authorised
 * transfer, on the network's chain, and cost no more than the network's cap.
 * @param network the entry of the signer's own networks file; feeCap in wei as digits, for the whole transaction
 * @param unsigned the whole unsigned transaction as it travelled
 * @param authorised the request whose authority signature has been verified
 * @returns the digest to sign; TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readTransfer = (
  network: Pick<EvmNetwork, "network" | "chainId" | "feeCap">,
  unsigned: Uint8Array,
  authorised: AuthorisedTransfer,
): Result<ReadTransfer> => {
  const decoded = decodeUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const transaction = decoded.value;
  const mismatch =
    frameMismatch(network, transaction, authorised) ?? actMismatch(transaction, authorised.transfer);
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
