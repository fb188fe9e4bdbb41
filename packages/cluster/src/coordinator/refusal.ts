import { ERRORS, type ErrorCode } from "@conclave/custody";

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

/** Refusals that a fresh session with the same signer may not meet again. */
export const mayPass = (code: ErrorCode): boolean =>
  ERRORS[code].kind === "outage" || code === "SessionReused" || code === "SessionExpired";
