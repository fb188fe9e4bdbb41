import { Outage } from "../../outage.ts";

/** Classes 08 (connection), 53 (resources) and 57P (shutdown) of the PostgreSQL error codes, and a statement timeout. */
const OUTAGE_CODES = /^(08...|53...|57P0.|57014|25P03|E[A-Z]+)$/;
/** lock_not_available: somebody else holds a lock for too long; deadlock_detected: two waited for each other. Nothing was changed */
const HELD_CODES: readonly (string | undefined)[] = ["55P03", "40P01"];
const OUTAGE_TEXT = /connection|timeout|Client has encountered|Cannot use a pool after/i;
const STALE_PLAN = "0A000";
/** the driver's message when a statement was not answered in time */
const NO_ANSWER = "Query read timeout";

/** Whether another process has migrated a table since the statement was prepared, so that `select *` has other columns. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === STALE_PLAN && /cached plan/.test(error.message);

/** Whether a statement was not answered: its connection can no longer be used, and nobody knows what became of the statement. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === NO_ANSWER;

/** The SQLSTATE of an error of the server, or the system's code of one of the connection. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

const isAway = (error: Error): boolean => {
  const code = codeOf(error);
  return code === undefined ? OUTAGE_TEXT.test(error.message) : OUTAGE_CODES.test(code);
};

/** @throws Outage if the database does not answer, or the error as it was */
export const asOutage = (error: unknown): never => {
  if (!(error instanceof Error)) throw error;
  // a transaction cannot repeat a statement: its caller tries again later, on another connection
  throw isAway(error) || isHeld(error) || isStalePlan(error) ? new Outage("database", error) : error;
};

const isHeld = (error: Error): boolean => HELD_CODES.includes(codeOf(error));

/**
 * The same for a commit: it may have come to pass although its answer was lost.
 * @throws Outage with the problem OutcomeUnknown, or the error of a server that refused the commit
 */
export const asUnknownOutcome = (error: unknown): never => {
  if (error instanceof Error && isHeld(error)) throw new Outage("database", error);
  throw error instanceof Error && isAway(error) ? new Outage("database", error, "OutcomeUnknown") : error;
};
