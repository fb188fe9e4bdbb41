import { type OrganisationId, organisationIdSchema } from "@conclave/custody";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { plainTable } from "../table/table.ts";

export const requestNonces = plainTable("request_nonces", {
  orgId: organisationIdSchema,
  nonceHash: bytes,
  dateExpires: date,
});

/**
 * Consumes the nonce of a request.
 * @param dateExpires when a request with this nonce becomes too old to be accepted (ISO 8601 UTC)
 * @returns false if the organisation used it before
 */
export const useNonce = (
  connection: Connection,
  orgId: OrganisationId,
  nonceHash: Uint8Array,
  dateExpires: string,
): Promise<boolean> =>
  requestNonces.insert(connection, { orgId, nonceHash, dateExpires }, "on conflict do nothing");
