import { ok, type Result, signatureIdSchema, transactionIdSchema, transferIdSchema } from "@conclave/custody";
import {
  type AuthorisedTable,
  type Connection,
  changeChainRequest,
  changeSignature,
  type Database,
  type DueAuthorisation,
  holdRights,
  lockChainRequest,
  readChainRequest,
  readSignature,
} from "@conclave/platform";
import { z } from "zod";
import { requesterNow } from "./fee-bump/permitted-now.ts";
import { MAY_SIGN } from "./permission/needs.ts";
import { judgeStanding } from "./permission/standing.ts";

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

/**
 * Whether who asked for what is authorised may still ask for it. Of its wallet, and of policies, nothing is asked again. A key that is
 * being made moves nothing, and is finished whoever asked for it.
 * @returns PermissionMissing
 */
export const judgeRightToRenew = async (
  connection: Connection,
  table: AuthorisedTable,
  id: string,
): Promise<Result<unknown>> => {
  switch (table) {
    case "keys":
      return ok(undefined);
    case "chain_requests": {
      const request = await readChainRequest(connection, requestIdSchema.parse(id));
      return request === undefined ? ok(undefined) : requesterNow(connection, request);
    }
    case "signatures": {
      const request = await readSignature(connection, signatureIdSchema.parse(id));
      if (request === undefined) return ok(undefined);
      const requester = { orgId: request.orgId, ...request.requester };
      return judgeStanding(connection, requester, "who asked for it", [MAY_SIGN]);
    }
  }
};

/**
 * Ends what is authorised and not signed, and whose requester has lost the right to it: like an abort, with the reason. What was signed
 * meanwhile goes on (INV-4), and so does what its requester may do again.
 * @param date ISO 8601 UTC
 * @returns the reason, if it ended
 */
export const endRightless = (
  database: Database,
  table: AuthorisedTable,
  { id }: Pick<DueAuthorisation, "id">,
  date: string,
): Promise<string | undefined> =>
  database.transaction(async (connection) => {
    const orgId = await organisationOf(connection, table, id);
    if (orgId === undefined) return undefined;
    await holdRights(connection, orgId);
    const judged = await judgeRightToRenew(connection, table, id);
    if (judged.ok) return undefined;
    const reason = judged.problem.message;
    const ended = await END[table](connection, id, { date, reason });
    return ended ? reason : undefined;
  });

const organisationOf = async (connection: Connection, table: AuthorisedTable, id: string) => {
  switch (table) {
    case "keys":
      return undefined;
    case "chain_requests":
      return (await readChainRequest(connection, requestIdSchema.parse(id)))?.orgId;
    case "signatures":
      return (await readSignature(connection, signatureIdSchema.parse(id)))?.orgId;
  }
};

type End = (
  connection: Connection,
  id: string,
  why: { readonly date: string; readonly reason: string },
) => Promise<boolean>;

const END: Readonly<Record<AuthorisedTable, End>> = {
  keys: async () => false,
  chain_requests: async (connection, id, why) => {
    const request = await lockChainRequest(connection, requestIdSchema.parse(id));
    if (request === undefined) return false;
    return (await changeChainRequest(connection, request, { kind: "Aborted", ...why })).ok;
  },
  signatures: async (connection, id, why) =>
    (await changeSignature(connection, signatureIdSchema.parse(id), { kind: "Failed", ...why })).ok,
};
