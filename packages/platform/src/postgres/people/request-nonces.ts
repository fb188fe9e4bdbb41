import type { OrganisationId } from "@conclave/custody";
import type { Connection } from "../database.ts";

/**
 * Consumes the nonce of a request.
 * @param dateExpires when a request with this nonce becomes too old to be accepted (ISO 8601 UTC)
 * @returns false if the organisation used it before
 */
export const useNonce = async (
  connection: Connection,
  orgId: OrganisationId,
  hash: Uint8Array,
  dateExpires: string,
): Promise<boolean> =>
  (await connection.execute(
    "insert into request_nonces (org_id, nonce_hash, date_expires) values ($1, $2, $3) on conflict do nothing",
    [orgId, hash, dateExpires],
  )) === 1;
