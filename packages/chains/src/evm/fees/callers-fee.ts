import type { Effects, FamilyContent } from "@conclave/custody";
import { decodeAnyUnsigned } from "../decode-any.ts";
import type { ReadableNetwork } from "../network.ts";
import { givenBytes } from "../parse-content.ts";
import { type EvmCall, evmTransactionSchema } from "../rules/act.ts";
import { wholeFee } from "./fees.ts";

/** The fee that a caller can cause by a request. */
type CallersFee =
  | { readonly kind: "none" }
  | { readonly kind: "fixed"; readonly fee: bigint }
  /** the authority's limit and the network's cap bound the fee that the service chooses */
  | { readonly kind: "bounded"; readonly most: bigint }
  /** the service chooses a part of the fee: only the network's cap bounds the whole */
  | { readonly kind: "capped" };

const NONE: CallersFee = { kind: "none" };

/**
 * A fee needs both gas limit and price. A caller that fixes one can raise the other, by the content of the call or its timing;
 * a caller that replaces a waiting transaction makes the service pay more. In these cases the caller can cause a fee up to the
 * cap.
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
    // the effects of undecodable bytes are unknown anyway, which is stricter than any fee
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
 * Adds the highest fee that the caller can cause to the effects of a request. If the service chooses all of the fee, as for a
 * transfer, the caller causes none: only the network's cap bounds it.
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
