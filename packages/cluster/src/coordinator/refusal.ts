import { ERRORS, type ErrorCode, type Problem } from "@conclave/custody";

const OF_PRESIGNATURE: ReadonlySet<ErrorCode> = new Set([
  "PresignatureUnknown",
  "PresignatureMismatch",
  "PresignatureSpent",
  "PresignatureReused",
  "PoolFull",
]);

/** Refusals that concern the presignature alone: the signer is fit, and another presignature may work. */
export const isOfPresignature = (code: ErrorCode): boolean => OF_PRESIGNATURE.has(code);

/** The refusal of a signer that restarted: it has the signer's new life, which the next session names. */
export const isOfLife = (code: ErrorCode): boolean => code === "SignerLifeUnknown";

/**
 * Refusals that a new session with the same signer may avoid. Not among them: DeadlineNotPassed, as the deadline
 * passes after the coordinator has ended, and as it says nothing about the signer; AuthorisationNotCurrent, as this
 * coordinator has no other authorisation; KeyNotRefreshed, as an operator has to refresh the key.
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
 * Whether a signer refuses the authorised content itself, so that later sessions would be refused as well. All other
 * refusals concern outages and clocks; presignatures; the session as the coordinator requested it, or a version or
 * roster that one side does not have yet; or a share that a signer lost and will get again: the gateway accepts
 * requests only for keys that all signers attested.
 */
export const endsRequest = (code: ErrorCode): boolean =>
  ERRORS[code].kind === "refusal" && !isOfPresignature(code) && !OF_SESSION.has(code);

/** The most frequent reason; of equally frequent ones the later. */
const mostSaid = (refusals: readonly Problem[]): Problem | undefined => {
  const latestFirst = refusals.toReversed();
  const timesOf = ({ code }: Problem): number => refusals.filter((each) => each.code === code).length;
  return latestFirst.reduce<Problem | undefined>(
    (most, each) => (most === undefined || timesOf(each) > timesOf(most) ? each : most),
    undefined,
  );
};

/**
 * The reason for which a coordinator gives up after these refusals; undefined while enough signers may sign. The
 * request ends only if more signers than may lie say that it can never be signed; otherwise the reason is one that may
 * pass.
 *
 * @param refusals one of each signer, in order of arrival
 * @param mayLie n − t: while no more refuse, a quorum is left
 */
export const whyRefused = (refusals: readonly Problem[], mayLie: number): Problem | undefined => {
  if (refusals.length <= mayLie) return undefined;
  const ending = refusals.filter(({ code }) => endsRequest(code));
  return mostSaid(ending.length > mayLie ? ending : refusals.filter(({ code }) => !endsRequest(code)));
};
