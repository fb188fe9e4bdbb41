import { type BitcoinFeeLevels, fail, ok, type Priority, type Result } from "@conclave/custody";

/** Virtual bytes per unit of a fee rate. */
const RATE_VBYTES = 1_000n;
/** Satoshis per thousand virtual bytes: the default minimum that nodes demand (Bitcoin Core, policy/policy.h). */
export const LEAST_RATE = 1_000n;
/** No market has reached this rate; a node's estimate above it is not believed. */
const LARGEST_RATE = 2_000_000n;

/** A priority's confirmation target in blocks, and its fallback rate if the node has no estimate. */
interface Target {
  readonly blocks: number;
  readonly mode: "economical" | "conservative";
  /** satoshis a thousand virtual bytes */
  readonly fallback: bigint;
}

const TARGETS: Readonly<Record<Priority, Target>> = {
  Slow: { blocks: 144, mode: "conservative", fallback: 2_000n },
  Standard: { blocks: 6, mode: "conservative", fallback: 10_000n },
  Fast: { blocks: 1, mode: "conservative", fallback: 20_000n },
};
const USUAL: Target = { blocks: 6, mode: "economical", fallback: 10_000n };

/** The confirmation target to ask a node about. @param priority undefined for the usual one */
export const feeTarget = (priority: Priority | undefined): Target =>
  priority === undefined ? USUAL : TARGETS[priority];

/** The lowest rates that nodes accept now, in satoshis per thousand virtual bytes. */
export interface FeeFloor {
  /** below it the node relays nothing (its own minimum, or that of a full pool) */
  readonly least: bigint;
  /** the fee that a replacement must add, for each thousand of its own virtual bytes (BIP-125, rule 4) */
  readonly increment: bigint;
}

/**
 * The fee rate of a transaction.
 * @param estimate the node's estimate; undefined if the node has too little data
 */
export const feeRate = (target: Target, estimate: bigint | undefined, { least }: FeeFloor): bigint => {
  const wanted = estimate ?? target.fallback;
  const floored = wanted > least ? wanted : least;
  return floored < LARGEST_RATE ? floored : LARGEST_RATE;
};

/** Fee in satoshis for a size in virtual bytes, rounded up. */
export const feeOf = (rate: bigint, vbytes: bigint): bigint =>
  (rate * vbytes + RATE_VBYTES - 1n) / RATE_VBYTES;

/** The replaced transaction's fee, and the fees of its descendants in the node's pool. */
export interface ReplacedFees {
  readonly fee: bigint;
  readonly vbytes: bigint;
  /** its own fee, and those of its descendants, which leave the pool with it */
  readonly withDescendants: bigint;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * The fee of a replacement (BIP-125, rules 3 and 4, and Bitcoin Core's rule 6): at least the fees of all transactions that
 * leave the pool plus the increment for its own size, at a higher rate than the replaced one. It follows the market up to
 * `most`, or else up to twice the replaced fee.
 */
export const replacingFee = (
  rate: bigint,
  vbytes: bigint,
  { increment }: FeeFloor,
  replaced: ReplacedFees,
  most: bigint = 2n * replaced.fee,
): bigint => {
  const paidFor = replaced.withDescendants + feeOf(increment, vbytes);
  const higherRate = (replaced.fee * vbytes) / replaced.vbytes + 1n;
  const least = larger(paidFor, higherRate);
  return larger(least, smaller(feeOf(rate, vbytes), most));
};

/** The highest fee of a transaction, satoshis: the network's cap, or the authority's limit if that is lower. */
export const feeCapWith = (feeCap: string, maxFee: bigint | undefined): string =>
  maxFee !== undefined && maxFee < BigInt(feeCap) ? maxFee.toString() : feeCap;

/** The highest fee for a size in virtual bytes, satoshis. @param maxFeeRate satoshis a virtual byte; undefined: no limit */
export const feeAtRate = (maxFeeRate: bigint | undefined, vbytes: bigint): bigint | undefined =>
  maxFeeRate === undefined ? undefined : maxFeeRate * vbytes;

/** @returns FeeAboveCap @param feeCap satoshis, as digits */
export const judgeFee = (fee: bigint, feeCap: string): Result<void> =>
  fee <= BigInt(feeCap)
    ? ok(undefined)
    : fail(
        "FeeAboveCap",
        { fee: fee.toString(), feeCap },
        `the fee of ${fee} satoshis is above the cap of ${feeCap} satoshis`,
      );

/** Satoshis a virtual byte, as digits with up to three decimals. */
export const shownRate = (rate: bigint): string => {
  const decimals = (rate % RATE_VBYTES).toString().padStart(3, "0").replace(/0+$/, "");
  return `${rate / RATE_VBYTES}${decimals === "" ? "" : `.${decimals}`}`;
};

/** Inverse of `shownRate`: satoshis per thousand virtual bytes. */
export const rateShown = (text: string): bigint => {
  const [whole = "", decimals = ""] = text.split(".");
  return BigInt(whole) * RATE_VBYTES + BigInt(decimals.padEnd(3, "0").slice(0, 3));
};

/** The limit for a fee that the service raises by itself. */
export type BitcoinBid =
  /** @param most satoshis */
  | { readonly kind: "bid"; readonly most: bigint }
  /** @param rate satoshis a virtual byte, as digits: the lowest rate that would replace the transaction */
  | { readonly kind: "above-cap"; readonly rate: string };

/**
 * Bounds the fee when the service replaces a transaction by itself: twice the fee paid so far, or the market's fee if that is
 * higher; at most the cap.
 * @param cap satoshis a virtual byte
 * @param market fees of the same moment; undefined if no node reports them
 */
export const bidForBitcoin = (
  { fee, vbytes }: Pick<ReplacedFees, "fee" | "vbytes">,
  cap: bigint,
  market: BitcoinFeeLevels | undefined,
): BitcoinBid => {
  const floor = { least: LEAST_RATE, increment: LEAST_RATE };
  const least = replacingFee(0n, vbytes, floor, { fee, vbytes, withDescendants: fee });
  const capFee = cap * vbytes;
  if (least > capFee) return { kind: "above-cap", rate: shownRate((least * RATE_VBYTES) / vbytes) };
  const marketFee = market === undefined ? 0n : feeOf(rateShown(market.standard.feeRate), vbytes);
  return { kind: "bid", most: smaller(capFee, larger(least, larger(2n * fee, marketFee))) };
};

/** The current fees by priority; a faster priority never costs less. */
export const bitcoinFeeLevels = (
  height: bigint,
  floor: FeeFloor,
  estimates: Readonly<Record<Priority, bigint | undefined>>,
): BitcoinFeeLevels => {
  const slow = feeRate(TARGETS.Slow, estimates.Slow, floor);
  const standard = larger(slow, feeRate(TARGETS.Standard, estimates.Standard, floor));
  const fast = larger(standard, feeRate(TARGETS.Fast, estimates.Fast, floor));
  const level = (rate: bigint, { blocks }: Target) => ({
    feeRate: shownRate(rate),
    blockHorizon: blocks,
  });
  return {
    kind: "Bitcoin",
    blockNumber: Number(height),
    slow: level(slow, TARGETS.Slow),
    standard: level(standard, TARGETS.Standard),
    fast: level(fast, TARGETS.Fast),
  };
};
