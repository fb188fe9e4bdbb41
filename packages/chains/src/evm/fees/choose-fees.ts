import { fail, ok, type Priority, type Result } from "@conclave/custody";
import { decodeAnyUnsigned } from "../decode-any.ts";
import type { EvmCall } from "../rules/act.ts";
import { type GasFees, replacingFees } from "../rules/replacement-fees.ts";
import type { TransactionFees } from "../transaction.ts";
import { type FeeMarket, feesFor } from "./fees.ts";

/** The inputs for choosing a transaction's fees. */
export interface FeeChoice {
  /** of the caller; undefined: the service chooses type and numbers */
  readonly wanted: EvmCall["fees"];
  readonly priority: Priority | undefined;
  readonly market: FeeMarket;
  /** of the pending transaction that this one replaces */
  readonly earlier: GasFees | undefined;
  /** wei a gas: the service does not follow the market above it; undefined: only the network's cap applies */
  readonly most: bigint | undefined;
}

/**
 * The fees of a transaction that this service built.
 * @throws when it cannot be read
 */
export const feesOfUnsigned = (unsigned: Uint8Array): GasFees => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const { maxFeePerGas, maxPriorityFeePerGas } = decoded.value;
  return { maxFeePerGas, maxPriorityFeePerGas };
};

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const given = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text);

/** The market's fee, at most the authority's limit. */
const suggestedFees = ({ priority, market, most }: FeeChoice): GasFees => {
  const { maxFeePerGas, maxPriorityFeePerGas } = feesFor(priority, market);
  if (most === undefined) return { maxFeePerGas, maxPriorityFeePerGas };
  return {
    maxFeePerGas: lower(maxFeePerGas, most),
    maxPriorityFeePerGas: lower(maxPriorityFeePerGas, most),
  };
};

/**
 * Chooses the fees of a transaction: the caller's fields stay as they are, the rest follows the market.
 * @returns TransactionInvalid for a type-2 transaction on a chain without a base fee, FeesContradictory, or
 * ReplacementUnderpriced
 */
export const chooseFees = (choice: FeeChoice): Result<TransactionFees> => {
  const { wanted, market } = choice;
  const kind = wanted?.kind ?? (market.nextBaseFee === undefined ? "Legacy" : "Eip1559");
  if (kind === "Legacy") return legacyFees(choice, wanted?.kind === "Legacy" ? wanted.gasPrice : undefined);
  if (market.nextBaseFee === undefined) {
    return fail(
      "TransactionInvalid",
      { field: "kind" },
      "The network has no base fee: it takes no transactions of type 2 (EIP-1559).",
    );
  }
  return dynamicFees(choice);
};

/**
 * Judges a bid by the network's minimum: nodes would refuse a lower one at any time.
 * @returns TransactionInvalid (details.field "gasPrice" or "maxPriorityFeePerGas")
 */
export const judgeTip = (fees: TransactionFees, { leastTip = 0n }: FeeMarket): Result<void> => {
  const [field, bid] =
    fees.kind === "Legacy"
      ? ["gasPrice", fees.gasPrice]
      : ["maxPriorityFeePerGas", fees.maxPriorityFeePerGas];
  return bid >= leastTip
    ? ok(undefined)
    : fail(
        "TransactionInvalid",
        { field, given: bid.toString(), least: leastTip.toString() },
        `The transaction is not valid: nodes of the network take no ${field} below ${leastTip} wei a gas, and it bids ${bid}. Offer more, or leave the fees to the service.`,
      );
};

const legacyFees = (choice: FeeChoice, wanted: string | undefined): Result<TransactionFees> => {
  const { earlier } = choice;
  const suggested = suggestedFees(choice);
  const price = given(wanted);
  if (earlier === undefined) return ok({ kind: "Legacy", gasPrice: price ?? suggested.maxFeePerGas });
  const fees = replacingFees(earlier, { maxFeePerGas: price, maxPriorityFeePerGas: price }, suggested);
  return fees.ok ? ok({ kind: "Legacy", gasPrice: fees.value.maxFeePerGas }) : fees;
};

const dynamicFees = (choice: FeeChoice): Result<TransactionFees> => {
  const { wanted, earlier } = choice;
  const suggested = suggestedFees(choice);
  const numbers = wanted?.kind === "Eip1559" ? wanted : undefined;
  const cap = given(numbers?.maxFeePerGas);
  const tip = given(numbers?.maxPriorityFeePerGas);
  if (earlier !== undefined) {
    const fees = replacingFees(earlier, { maxFeePerGas: cap, maxPriorityFeePerGas: tip }, suggested);
    return fees.ok ? ok({ kind: "Eip1559", ...fees.value }) : fees;
  }
  const maxPriorityFeePerGas = tip ?? lower(suggested.maxPriorityFeePerGas, cap ?? suggested.maxFeePerGas);
  const headroom = suggested.maxFeePerGas - suggested.maxPriorityFeePerGas;
  const maxFeePerGas = cap ?? larger(suggested.maxFeePerGas, headroom + maxPriorityFeePerGas);
  return maxPriorityFeePerGas > maxFeePerGas
    ? fail("FeesContradictory", { field: "maxPriorityFeePerGas" })
    : ok({ kind: "Eip1559", maxFeePerGas, maxPriorityFeePerGas });
};
