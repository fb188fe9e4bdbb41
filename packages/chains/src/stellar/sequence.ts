import { fail, ok, type Result } from "@conclave/custody";
import type { Sequencing } from "../chain.ts";

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Judges the sequence number of a caller's own bytes: it must be the next one. */
export const judgeStellarSequence = (wanted: bigint, next: bigint): Result<void> => {
  if (wanted === next) return ok(undefined);
  const details = { sequence: wanted.toString(), next: next.toString() };
  return wanted < next
    ? fail("NonceUsed", details, `the sequence number ${wanted} is used up: the next one is ${next}`)
    : fail("NonceGap", details, `the sequence number ${wanted} leaves a gap: the next one is ${next}`);
};

/** The answer while earlier transactions of the wallet have not landed. */
const wait = (network: string): Result<never> =>
  fail("ServiceUnavailable", { network }, "waiting for an earlier transaction of the wallet to land");

/**
 * The sequence number of a transaction: exactly the account's next one. A ledger includes one transaction per account, and
 * nodes queue no second one; a later one could never land if an earlier one does not. So a transaction is built once all
 * earlier ones have landed or are dead.
 * @param sequencing the place that our own records require
 * @param fixed the sequence number of a caller's own bytes
 * @param last the account's last sequence number
 * @returns ServiceUnavailable while an earlier one may land; NonceUsed or NonceGap for a caller's own bytes
 */
export const stellarSequence = (
  network: string,
  sequencing: Sequencing,
  fixed: bigint | undefined,
  last: bigint,
): Result<bigint> => {
  const next = last + 1n;
  switch (sequencing.kind) {
    case "kept":
      return ok(fixed ?? larger(sequencing.sequence ?? next, next));
    case "replacing":
      throw new TypeError("nothing takes the place of a Stellar transaction");
    case "next": {
      if (sequencing.lowest > next) return wait(network);
      const judged = judgeStellarSequence(fixed ?? next, next);
      return judged.ok ? ok(next) : judged;
    }
  }
};
