import { z } from "zod";

/**
 * The greatest age of an authorisation that signers act on. The gateway signs anew what is still wanted, long before;
 * what was aborted ends here, whatever an orchestrator does.
 */
export const AUTHORISATION_AGE_MS_MAX: number = 15 * 60_000;

/**
 * When the authority signed: signers act on what it signed minutes ago, and the gateway signs anew what is still wanted, with
 * this date alone changed. Absent in what was signed before there was such a date.
 */
export const dateAuthorisedSchema = z.string().optional();

/** The dates of an authorisation, ISO 8601 UTC. */
export interface AuthorisationDates {
  readonly dateRequested: string;
  readonly dateAuthorised?: string | undefined;
}

/** When the authority signed, Unix milliseconds; NaN when no date stands there. */
export const authorisedAtMs = ({ dateRequested, dateAuthorised }: AuthorisationDates): number =>
  Date.parse(dateAuthorised ?? dateRequested);
