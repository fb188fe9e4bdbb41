import { z } from "zod";

/**
 * The greatest age of an authorisation that signers act on. Long before, the gateway signs again the
 * authorisations of requests that are still wanted; so an aborted request's authorisation expires, even if an
 * orchestrator keeps sending it.
 */
export const AUTHORISATION_AGE_MS_MAX: number = 15 * 60_000;

/**
 * When the authority signed. Signers act on recent authorisations only, so the gateway signs again those of
 * requests that are still wanted, and changes this date alone. Absent in authorisations of versions without
 * this field.
 */
export const dateAuthorisedSchema = z.string().optional();

/** The dates of an authorisation, ISO 8601 UTC. */
export interface AuthorisationDates {
  readonly dateRequested: string;
  readonly dateAuthorised?: string | undefined;
}

/** When the authority signed, in Unix milliseconds; NaN without a valid date. */
export const authorisedAtMs = ({ dateRequested, dateAuthorised }: AuthorisationDates): number =>
  Date.parse(dateAuthorised ?? dateRequested);
