import { logEvent } from "@conclave/platform/logger";

/** The events of a gateway's log: never a payload, a secret or an address. */

type AcceptedFields = {
  /** of the transfer, transaction or signature */
  readonly requestId: string;
  readonly status: string;
};

/** Written once the request is committed: from then on it comes to an end. */
export const requestAccepted = logEvent<AcceptedFields>()("info", "request-accepted", "request accepted");
