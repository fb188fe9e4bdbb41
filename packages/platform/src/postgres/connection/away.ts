import { Outage } from "../../outage.ts";

/** Classes 08 (connection), 53 (resources) and 57P (shutdown) of the PostgreSQL error codes, and a statement timeout. */
const OUTAGE_CODES = /^(08...|53...|57P0.|57014|25P03|E[A-Z]+)$/;
/**
 * lock_not_available: another transaction holds a lock for too long; deadlock_detected: two wait for each other.
 * Nothing was changed
 */
const HELD_CODES: readonly (string | undefined)[] = ["55P03", "40P01"];
const OUTAGE_TEXT = /connection|timeout|Client has encountered|Cannot use a pool after/i;
const STALE_PLAN = "0A000";
/** the driver's message if a statement got no answer in time */
const NO_ANSWER = "Query read timeout";

/** Whether a table was migrated since the statement was prepared, so that `select *` has other columns. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === STALE_PLAN && /cached plan/.test(error.message);

/** Whether a statement got no answer: its connection can no longer be used, and the statement's outcome is unknown. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === NO_ANSWER;

/** The SQLSTATE of a server's error, or the system's error code of a connection's error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

const isAway = (error: Error): boolean => {
  const code = codeOf(error);
  return code === undefined ? OUTAGE_TEXT.test(error.message) : OUTAGE_CODES.test(code);
};

/** @throws Outage if the database does not answer, otherwise the unchanged error */
export const asOutage = (error: unknown): never => {
  if (!(error instanceof Error)) throw error;
  // a transaction cannot repeat a statement: its caller tries again later, on another connection
  throw isAway(error) || isHeld(error) || isStalePlan(error) ? new Outage("database", error) : error;
};

const isHeld = (error: Error): boolean => HELD_CODES.includes(codeOf(error));

/**
 * As `asOutage`, for a commit, which may have succeeded although its answer was lost.
 *
 * @throws Outage with the problem OutcomeUnknown, or the error of a server that refused the commit
 */
export const asUnknownOutcome = (error: unknown): never => {
  if (error instanceof Error && isHeld(error)) throw new Outage("database", error);
  throw error instanceof Error && isAway(error) ? new Outage("database", error, "OutcomeUnknown") : error;
};
