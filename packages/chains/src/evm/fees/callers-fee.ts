import type { Effects, FamilyContent } from "@conclave/custody";
import { decodeAnyUnsigned } from "../decode-any.ts";
import type { ReadableNetwork } from "../network.ts";
import { givenBytes } from "../parse-content.ts";
import { type EvmCall, evmTransactionSchema } from "../rules/act.ts";
import { wholeFee } from "./fees.ts";

/** The cost that a caller can cause by a request. */
type CallersFee =
  | { readonly kind: "none" }
  | { readonly kind: "fixed"; readonly fee: bigint }
  /** the authority bounds what the service chooses, and so does the network's cap */
  | { readonly kind: "bounded"; readonly most: bigint }
  /** a part of it is the service's to choose: all that bounds the whole is the network's cap */
  | { readonly kind: "capped" };

const NONE: CallersFee = { kind: "none" };

/**
 * Gas limit and price together are a fee. One of them alone lets the caller move the other, by what the call does or when it
 * is sent; and who replaces what waits makes the service pay more. Then the whole cap is within the caller's reach.
 */
const feeOfCall = ({ gasLimit, fees, maxFee }: EvmCall, isReplacement: boolean): CallersFee => {
  const price = fees?.kind === "Legacy" ? fees.gasPrice : fees?.maxFeePerGas;
  const tip = fees?.kind === "Eip1559" ? fees.maxPriorityFeePerGas : undefined;
  if (gasLimit !== undefined && price !== undefined) {
    return { kind: "fixed", fee: BigInt(gasLimit) * BigInt(price) };
  }
  if (maxFee !== undefined) return { kind: "bounded", most: BigInt(maxFee) };
  const isPartlyFixed = gasLimit !== undefined || price !== undefined || tip !== undefined;
  return isPartlyFixed || isReplacement ? { kind: "capped" } : NONE;
};

const callersFee = (content: FamilyContent, isReplacement: boolean): CallersFee => {
  const bytes = givenBytes(content);
  if (bytes !== undefined) {
    const decoded = decodeAnyUnsigned(bytes);
    // bytes that cannot be decoded have unknown effects, which outweigh any fee
    return decoded.ok ? { kind: "fixed", fee: wholeFee(decoded.value.gasLimit, decoded.value) } : NONE;
  }
  const transaction = evmTransactionSchema.safeParse(content);
  return transaction.success && transaction.data.kind === "Call"
    ? feeOfCall(transaction.data, isReplacement)
    : NONE;
};

const smaller = (most: bigint, network: Pick<ReadableNetwork, "feeCap"> | undefined): bigint =>
  network !== undefined && BigInt(network.feeCap) < most ? BigInt(network.feeCap) : most;

/**
 * Adds to what a request does the most that its caller can make it cost in fees. Those that the service chooses by itself,
 * for a transfer or a call of which nothing is fixed, are not the caller's: the network's cap bounds them.
 */
export const withCallersFee = (
  effects: Effects,
  network: Pick<ReadableNetwork, "feeCap"> | undefined,
  content: FamilyContent,
  isReplacement: boolean,
): Effects => {
  const wanted = callersFee(content, isReplacement);
  switch (wanted.kind) {
    case "none":
      return effects;
    case "fixed":
      return { ...effects, fee: wanted.fee.toString() };
    case "bounded":
      return { ...effects, fee: smaller(wanted.most, network).toString() };
    case "capped":
      return network === undefined
        ? { ...effects, unknown: effects.unknown ?? "nothing bounds the fees on this network" }
        : { ...effects, fee: network.feeCap };
  }
};
