import { type OrganisationId, ok, type Result } from "@conclave/custody";
import {
  type AuthorisedRecord,
  type Connection,
  changeChainRequest,
  changeSignature,
  type Database,
  holdRights,
  lockChainRequest,
  readChainRequest,
  readSignature,
} from "@conclave/platform";
import { requesterNow } from "./fee-bump/permitted-now.ts";
import { MAY_SIGN } from "./permission/needs.ts";
import { judgeStanding } from "./permission/standing.ts";

/**
 * Whether the requester of an authorised record still has the right to it. Wallet and policies are not judged again. A
 * key that is being made moves nothing, and is finished for every requester.
 * @returns PermissionMissing; @throws UnreadableRow
 */
export const judgeRightToRenew = async (
  connection: Connection,
  record: AuthorisedRecord,
): Promise<Result<unknown>> => {
  switch (record.table) {
    case "keys":
      return ok(undefined);
    case "chain_requests": {
      const request = await readChainRequest(connection, record.id);
      return request === undefined ? ok(undefined) : requesterNow(connection, request);
    }
    case "signatures": {
      const request = await readSignature(connection, record.id);
      if (request === undefined) return ok(undefined);
      const requester = { orgId: request.orgId, ...request.requester };
      return judgeStanding(connection, requester, "who asked for it", [MAY_SIGN]);
    }
  }
};

/**
 * Ends an authorised and unsigned record whose requester has lost the right to it, like an abort, with the reason. A
 * request that was signed meanwhile continues (INV-4), and so does one whose requester has the right again.
 * @param date ISO 8601 UTC
 * @returns the reason, if it ended; @throws UnreadableRow
 */
export const endRightless = (
  database: Database,
  record: AuthorisedRecord,
  date: string,
): Promise<string | undefined> =>
  database.transaction(async (connection) => {
    const orgId = await organisationOf(connection, record);
    if (orgId === undefined) return undefined;
    await holdRights(connection, orgId);
    const judged = await judgeRightToRenew(connection, record);
    if (judged.ok) return undefined;
    const reason = judged.problem.message;
    return (await end(connection, record, { date, reason })) ? reason : undefined;
  });

const organisationOf = async (
  connection: Connection,
  record: AuthorisedRecord,
): Promise<OrganisationId | undefined> => {
  switch (record.table) {
    case "keys":
      return undefined;
    case "chain_requests":
      return (await readChainRequest(connection, record.id))?.orgId;
    case "signatures":
      return (await readSignature(connection, record.id))?.orgId;
  }
};

/** Ends a record whose requester lost the right to it. @returns false where the record had already ended */
const end = async (
  connection: Connection,
  record: AuthorisedRecord,
  why: { readonly date: string; readonly reason: string },
): Promise<boolean> => {
  switch (record.table) {
    case "keys":
      return false;
    case "chain_requests": {
      const request = await lockChainRequest(connection, record.id);
      if (request === undefined) return false;
      return (await changeChainRequest(connection, request, { kind: "Aborted", ...why })).ok;
    }
    case "signatures":
      return (await changeSignature(connection, record.id, { kind: "Failed", ...why })).ok;
  }
};
