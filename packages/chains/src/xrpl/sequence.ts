import { fail, ok, type Result } from "@conclave/custody";
import type { Sequencing } from "../chain.ts";

/** The chain's view of the places of an account's transactions. */
export interface AccountPlace {
  /** the one that comes next, behind those in the open ledger and in the queue */
  readonly next: bigint;
  /**
   * for some ledgers nothing came to stand there, though we have sent more: what we sent there is dead, and what stands
   * behind it lands only when it is filled
   */
  readonly isAbandoned: boolean;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The Sequence of a transaction.
 *
 * Unlike an account nonce of EVM, a place becomes free again when the ledgers of the transaction in it are over. So our own
 * records alone do not tell the next one: while they are ahead of the chain, transactions under way are waited
 * for, and a place that stays empty is taken again.
 *
 * @param sequencing where our own records want it
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

/** Judges a caller's Sequence that replaces nothing: it must be the next one. */
export const judgeXrplSequence = (wanted: bigint, next: bigint): Result<bigint> => {
  if (wanted === next) return ok(next);
  const details = { sequence: Number(wanted), next: Number(next) };
  return wanted < next
    ? fail("NonceUsed", details, `the Sequence ${wanted} is used up: the next one is ${next}`)
    : fail("NonceGap", details, `the Sequence ${wanted} leaves a gap: the next one is ${next}`);
};
