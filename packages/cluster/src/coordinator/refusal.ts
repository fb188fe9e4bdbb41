import { ERRORS, type ErrorCode, type Problem } from "@conclave/custody";

const OF_PRESIGNATURE: ReadonlySet<ErrorCode> = new Set([
  "PresignatureUnknown",
  "PresignatureMismatch",
  "PresignatureSpent",
  "PresignatureReused",
  "PoolFull",
  "PoolUnconfirmed",
]);

/** Refusals of the presignature alone: the signer is as good as before, and the next presignature may do. */
export const isOfPresignature = (code: ErrorCode): boolean => OF_PRESIGNATURE.has(code);

/**
 * Refusals that a fresh session with the same signer may not meet again. A deadline that has not passed is none: it passes
 * later than a coordinator lives, and says nothing of the signer. Nor is an authorisation that is too old: this coordinator
 * has no other.
 */
export const mayPass = (code: ErrorCode): boolean =>
  code !== "DeadlineNotPassed" &&
  code !== "AuthorisationNotCurrent" &&
  (ERRORS[code].kind === "outage" || code === "SessionReused" || code === "SessionExpired");

/**
 * What most signers gave as their reason; of two that are given as often, the later one. One signer that lies cannot make
 * what passes later look final.
 */
export const reasonOf = (refusals: Iterable<Problem>): Problem | undefined => {
  const reasons = [...refusals].reverse();
  const timesOf = ({ code }: Problem): number => reasons.filter((each) => each.code === code).length;
  return reasons.reduce<Problem | undefined>(
    (most, each) => (most === undefined || timesOf(each) > timesOf(most) ? each : most),
    undefined,
  );
};
