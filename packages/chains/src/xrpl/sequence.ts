import { fail, ok, type Result } from "@conclave/custody";
import type { Sequencing } from "../chain.ts";

/** The chain's view of an account's next Sequence. */
export interface AccountPlace {
  /** the next one after those in the open ledger and in the queue */
  readonly next: bigint;
  /**
   * no transaction arrived for this Sequence in several ledgers, although our records are ahead: our transaction there is dead,
   * and later ones land only when it is filled
   */
  readonly isAbandoned: boolean;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The Sequence of a transaction.
 *
 * Unlike an EVM account nonce, a Sequence becomes free again when its transaction expires. So our own records alone do not give
 * the next one: while they are ahead of the chain, the builder waits for the transactions under way, and uses a Sequence again
 * that stays empty.
 *
 * @param sequencing the place that our own records require
 * @param wanted the Sequence in a caller's own bytes
 * @returns NonceUsed or NonceGap, whose details name the next one; ServiceUnavailable while it is unknown
 */
export const xrplSequence = (
  sequencing: Sequencing,
  wanted: bigint | undefined,
  { next, isAbandoned }: AccountPlace,
): Result<bigint> => {
  switch (sequencing.kind) {
    case "kept":
      return ok(wanted ?? larger(sequencing.sequence ?? 0n, next));
    case "replacing":
      throw new TypeError("nothing of the XRP Ledger takes another's place");
    case "next": {
      if (sequencing.lowest > next && !isAbandoned && wanted !== next) {
        return fail(
          "ServiceUnavailable",
          { sequence: next.toString() },
          `The chain node does not have the wallet's transaction with the Sequence ${next} yet.`,
        );
      }
      return wanted === undefined ? ok(next) : judgeXrplSequence(wanted, next);
    }
  }
};

/** Judges a caller's Sequence of a transaction that is no replacement: it must be the next one. */
export const judgeXrplSequence = (wanted: bigint, next: bigint): Result<bigint> => {
  if (wanted === next) return ok(next);
  const details = { sequence: Number(wanted), next: Number(next) };
  return wanted < next
    ? fail("NonceUsed", details, `the Sequence ${wanted} is used up: the next one is ${next}`)
    : fail("NonceGap", details, `the Sequence ${wanted} leaves a gap: the next one is ${next}`);
};
