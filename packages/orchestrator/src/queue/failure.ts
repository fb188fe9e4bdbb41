import { DUE_AGAIN_MS_MAX } from "@conclave/platform";

/** So many failures in a row, and a request is put aside. */
export const PARKED_AFTER_FAILURES = 10;

const FIRST_MS = 1_000;

/** The way that a request goes on after it failed for a reason nobody foresaw. */
export type AfterFailure = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "park" };

/**
 * A failure that passes is over in seconds; one that does not costs a look a minute, and then none.
 * @param failures how often it has failed without a break, this time included
 */
export const afterFailure = (failures: number): AfterFailure =>
  failures >= PARKED_AFTER_FAILURES
    ? { kind: "park" }
    : { kind: "retry", afterMs: Math.min(DUE_AGAIN_MS_MAX, FIRST_MS * 2 ** (failures - 1)) };
