import { fail, ok, type Result } from "@conclave/custody";
import type { Sequencing } from "../chain.ts";

/** An account's count of transactions: those in blocks, and those including the ones that wait to land next. */
export interface AccountCount {
  readonly mined: bigint;
  readonly pending: bigint;
}

/**
 * The account nonce of a transaction.
 * @param sequencing the place that our own records require
 * @param wanted the nonce that the caller gave
 * @param count the counts reported by the chain
 * @returns NonceUsed or NonceGap, whose details name the next nonce
 */
export const nonceOf = (
  sequencing: Sequencing,
  wanted: bigint | undefined,
  { mined, pending }: AccountCount,
): Result<bigint> => {
  switch (sequencing.kind) {
    case "kept":
      return ok(larger(sequencing.sequence ?? 0n, pending));
    case "replacing": {
      const { sequence } = sequencing;
      if (sequence === undefined) throw new TypeError("an EVM transaction that waits has an account nonce");
      return sequence < mined ? used(sequence, larger(mined, pending)) : ok(sequence);
    }
    case "next": {
      const next = larger(sequencing.lowest, pending);
      return wanted === undefined ? ok(next) : judgeNonce(wanted, next);
    }
  }
};

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Judges a caller's nonce of a transaction that is no replacement: it must be the next one. */
export const judgeNonce = (wanted: bigint, next: bigint): Result<bigint> => {
  if (wanted === next) return ok(next);
  return wanted < next
    ? used(wanted, next)
    : fail(
        "NonceGap",
        { nonce: Number(wanted), next: Number(next) },
        `the account nonce ${wanted} leaves a gap: the next one is ${next}`,
      );
};

const used = (nonce: bigint, next: bigint): Result<never> =>
  fail(
    "NonceUsed",
    { nonce: Number(nonce), next: Number(next) },
    `the account nonce ${nonce} is used up: the next one is ${next}`,
  );
