import { DUE_AGAIN_MS_MAX } from "@conclave/platform";

/** Number of failures in a row after which a request is parked. */
export const PARKED_AFTER_FAILURES = 10;

const FIRST_MS = 1_000;

/** The way that a request continues after an unexpected failure. */
export type AfterFailure = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "park" };

/**
 * A temporary failure is over in seconds; a lasting one costs a look a minute, and finally none.
 * @param failures number of failures in a row, this one included
 */
export const afterFailure = (failures: number): AfterFailure =>
  failures >= PARKED_AFTER_FAILURES
    ? { kind: "park" }
    : { kind: "retry", afterMs: Math.min(DUE_AGAIN_MS_MAX, FIRST_MS * 2 ** (failures - 1)) };
