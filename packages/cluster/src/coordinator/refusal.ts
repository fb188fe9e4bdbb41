import { ERRORS, type ErrorCode, type Problem } from "@conclave/custody";

const OF_PRESIGNATURE: ReadonlySet<ErrorCode> = new Set([
  "PresignatureUnknown",
  "PresignatureMismatch",
  "PresignatureSpent",
  "PresignatureReused",
  "PoolFull",
]);

/** Refusals of the presignature alone: the signer is as good as before, and the next presignature may do. */
export const isOfPresignature = (code: ErrorCode): boolean => OF_PRESIGNATURE.has(code);

/** The refusal of a signer that started anew: the next session names the life that it showed. */
export const isOfLife = (code: ErrorCode): boolean => code === "SignerLifeUnknown";

/**
 * Refusals that a fresh session with the same signer may not meet again. A deadline that has not passed is none: it passes
 * later than a coordinator lives, and says nothing of the signer. Nor is an authorisation that is too old: this coordinator
 * has no other. Nor is a key that an operator is to refresh.
 */
export const mayPass = (code: ErrorCode): boolean =>
  code !== "DeadlineNotPassed" &&
  code !== "AuthorisationNotCurrent" &&
  code !== "KeyNotRefreshed" &&
  (ERRORS[code].kind === "outage" || code === "SessionReused");

const OF_SESSION: ReadonlySet<ErrorCode> = new Set([
  "InvalidBody",
  "QuorumInvalid",
  "SessionReused",
  "KeyUnknown",
  "CallerNotAllowed",
]);

/**
 * Whether a refusal to sign is of what was authorised, so that no later session meets another answer. The others come of
 * outages and clocks; of presignatures; of the session as the coordinator asked for it, or of a version or a roster that one
 * side does not have yet; or of a share that a signer lost and gets again: the gateway accepts requests for keys that all
 * signers attested.
 */
export const endsRequest = (code: ErrorCode): boolean =>
  ERRORS[code].kind === "refusal" && !isOfPresignature(code) && !OF_SESSION.has(code);

/** The reason that most signers gave; of two that are given as often, the later one. */
const mostSaid = (refusals: readonly Problem[]): Problem | undefined => {
  const latestFirst = refusals.toReversed();
  const timesOf = ({ code }: Problem): number => refusals.filter((each) => each.code === code).length;
  return latestFirst.reduce<Problem | undefined>(
    (most, each) => (most === undefined || timesOf(each) > timesOf(most) ? each : most),
    undefined,
  );
};

/**
 * Why a coordinator gives up after these refusals; undefined while enough signers may sign. Only when more signers than may
 * lie say that it can never be signed, it is so. Otherwise the reason is what passes.
 *
 * @param refusals of one signer each, in the order in which they came
 * @param mayLie n − t: a quorum is left while no more refuse
 */
export const whyRefused = (refusals: readonly Problem[], mayLie: number): Problem | undefined => {
  if (refusals.length <= mayLie) return undefined;
  const ending = refusals.filter(({ code }) => endsRequest(code));
  return mostSaid(ending.length > mayLie ? ending : refusals.filter(({ code }) => !endsRequest(code)));
};
