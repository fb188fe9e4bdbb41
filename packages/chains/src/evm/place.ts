import { fail, ok, type Result } from "@conclave/custody";
import type { Place } from "../chain.ts";
import type { AccountCount } from "./node/situation.ts";

/**
 * The account nonce of a transaction.
 * @param place where our own records want it
 * @param wanted the nonce that the caller gave
 * @param count what the chain says
 * @returns NonceUsed or NonceGap, whose details name the next one
 */
export const nonceOf = (
  place: Place,
  wanted: number | undefined,
  { mined, pending }: AccountCount,
): Result<number> => {
  switch (place.kind) {
    case "kept":
      return ok(Math.max(place.nonce, pending));
    case "replacing":
      return place.nonce < mined ? used(place.nonce, Math.max(mined, pending)) : ok(place.nonce);
    case "next": {
      const next = Math.max(place.lowest, pending);
      return wanted === undefined ? ok(next) : judgeNonce(wanted, next);
    }
  }
};

/** Judges a caller's nonce that replaces nothing: it must be the next one. */
export const judgeNonce = (wanted: number, next: number): Result<number> => {
  if (wanted === next) return ok(next);
  return wanted < next
    ? used(wanted, next)
    : fail(
        "NonceGap",
        { nonce: wanted, next },
        `the account nonce ${wanted} leaves a gap: the next one is ${next}`,
      );
};

const used = (nonce: number, next: number): Result<never> =>
  fail("NonceUsed", { nonce, next }, `the account nonce ${nonce} is used up: the next one is ${next}`);
