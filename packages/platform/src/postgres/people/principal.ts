import { type Grant, narrow, type OrganisationId, operationSchema, widen } from "@conclave/custody";
import { z } from "zod";
import type { Caller } from "../../tokens/index.ts";
import { bytes, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { assignments } from "../policies/permission-assignments.ts";
import { permissions } from "../policies/permissions.ts";
import { accessTokens } from "./access-tokens.ts";
import { applications } from "./applications.ts";
import { type UserKind, userMarks, users } from "./users.ts";

/** The stored facts about a caller: its identity, and its current rights. */
export interface Principal {
  readonly orgId: OrganisationId;
  readonly username: string;
  readonly kind: UserKind;
  readonly isServiceAccount: boolean;
  readonly grant: Grant;
  /** whether its token has, or ever had, permissions of its own: then it never again has all rights of its user */
  readonly isNarrowed: boolean;
}

const operations = z.array(operationSchema);
const rowSchema = z.object({
  username: users.shape.username,
  kind: users.shape.kind,
  isServiceAccount: z.boolean(),
  everything: z.boolean(),
  operations,
  appEverything: z.boolean(),
  appOperations: operations,
  isNarrowed: z.boolean(),
  tokenEverything: z.boolean(),
  tokenOperations: operations,
  tokenHash: optional(bytes),
  dateSessionsEnded: userMarks.shape.dateSessionsEnded,
});
type Row = z.output<typeof rowSchema>;

const [u, t, app] = [users.columns, accessTokens.columns, applications.columns];
const [a, p] = [assignments.columns, permissions.columns];

const granted = (identity: string) => `
  from permission_assignments a join permissions p on p.id = a.${a.permissionId} and not p.${p.isArchived}
  where a.${a.orgId} = u.${u.orgId} and a.${a.identityId} = ${identity}`;
const everything = (identity: string) =>
  `coalesce((select bool_or(p.${p.grantsEverything}) ${granted(identity)}), false)`;
const listed = (identity: string) =>
  `coalesce((select jsonb_agg(distinct each.value) from (select p.operations ${granted(identity)}) list,
     jsonb_array_elements_text(case jsonb_typeof(list.operations) when 'array' then list.operations else '[]' end) each(value)), '[]')`;

/**
 * The condition under which a user's row makes a principal. A caller with the user of an application loses access with
 * the application, whichever token it uses.
 */
const IS_HERE = `u.${u.isActive} and u.${u.dateArchived} is null
    and (app.id is null or (app.${app.isActive} and app.${app.dateArchived} is null))
    and not exists (select from applications o
      where o.${app.userId} = u.id and not (o.${app.isActive} and o.${app.dateArchived} is null))`;

/** Any client may name an application in its requests; only the application whose user the caller is grants anything. */
const OWN_APPLICATION = `case when app.${app.userId} = u.id then app.id end`;

/** A single statement, because it runs at every request. A long-lived token is valid only while its row is active. */
const statementWhere = (isTokenHere: string): string => `
  select u.username, u.kind, u.${u.isServiceAccount} as "isServiceAccount",
    ${everything("u.id")} as everything, ${listed("u.id")} as operations,
    ${everything(OWN_APPLICATION)} as "appEverything", ${listed(OWN_APPLICATION)} as "appOperations",
    coalesce(t.${t.isNarrowed}, false) as "isNarrowed",
    ${everything("$3")} as "tokenEverything", ${listed("$3")} as "tokenOperations",
    t.${t.tokenHash} as "tokenHash", u.${userMarks.columns.dateSessionsEnded} as "dateSessionsEnded"
  from users u
    left join access_tokens t on t.id = $3 and t.${t.orgId} = u.${u.orgId} and t.${t.userId} = u.id
    left join applications app on app.id = $4 and app.${app.orgId} = u.${u.orgId}
  where u.${u.orgId} = $1 and u.id = $2 and ${IS_HERE} and (t.id is null or (${isTokenHere}))`;

const SHOWN = statementWhere(`t.${t.isActive} and t.${t.dateArchived} is null`);
/**
 * A session may have ended in the usual way: requests made in it stay valid. A session that a recovery archived may
 * have been a thief's, so its requests do not.
 */
const LONG_AGO = statementWhere(`t.${t.dateArchived} is null and (t.${t.isActive} or t.kind = 'Token')`);

const grantOf = (row: Row): Grant => {
  const grant = (all: boolean, list: Row["operations"]): Grant =>
    all ? { kind: "everything" } : { kind: "listed", operations: new Set(list) };
  const own = widen(grant(row.everything, row.operations), grant(row.appEverything, row.appOperations));
  return row.isNarrowed ? narrow(own, grant(row.tokenEverything, row.tokenOperations)) : own;
};

/** The token that a caller presents. */
export interface ShownToken {
  /** SHA-256 of the token's text */
  readonly hash: Uint8Array;
  /** as the verified token states (ISO 8601 UTC) */
  readonly dateIssued: string;
}

/**
 * Whether this is the last issued text of the token. A long-lived token must have a row. A session may have none, as
 * the launcher issues them: it counts unless its user was logged out since.
 */
const isIssued = (row: Row, { hash, dateIssued }: ShownToken, isLasting: boolean): boolean => {
  if (row.tokenHash !== undefined) return Buffer.compare(row.tokenHash, hash) === 0;
  if (isLasting) return false;
  const { dateSessionsEnded: ended } = row;
  return ended === undefined || Date.parse(dateIssued) > Date.parse(ended);
};

/**
 * Reads the stored facts about a caller whose token was verified.
 *
 * @param shown the presented token; of a long-lived token only the last issued text is valid
 * @returns undefined if the user, its token or its application is unknown, archived or deactivated
 */
export const readPrincipal = async (
  connection: Connection,
  caller: Caller,
  shown: ShownToken,
): Promise<Principal | undefined> => {
  const { orgId, userId, tokenId, appId, tokenKind } = caller;
  const [row] = await connection.rows(rowSchema, SHOWN, [orgId, userId, tokenId ?? null, appId ?? null]);
  if (row === undefined) return undefined;
  return isIssued(row, shown, tokenKind !== "Token") ? principalOf(orgId, row) : undefined;
};

/** The requester of a request, as its row names it. */
export interface RecordedRequester {
  readonly orgId: OrganisationId;
  readonly userId: Caller["userId"];
  readonly tokenId?: Caller["tokenId"];
  readonly appId?: Caller["appId"];
}

/**
 * Reads the current rights of a request's requester, long after its token was presented; by now the session may have
 * ended, or the token expired.
 *
 * @returns undefined if the user, or the token or application of that time, is unknown, archived or deactivated
 */
export const readRequesterNow = async (
  connection: Connection,
  { orgId, userId, tokenId, appId }: RecordedRequester,
): Promise<Principal | undefined> => {
  const [row] = await connection.rows(rowSchema, LONG_AGO, [orgId, userId, tokenId ?? null, appId ?? null]);
  return row && principalOf(orgId, row);
};

const endedSchema = z.object({ ended: z.enum(["user", "application", "token"]) });

/** Reads which part of a former principal has ended: the user before the application, the application before the token. */
export const readWhatEnded = async (
  connection: Connection,
  { orgId, userId, appId }: RecordedRequester,
): Promise<"user" | "application" | "token"> => {
  const [row] = await connection.rows(
    endedSchema,
    `select case
       when not exists (
         select from users where ${u.orgId} = $1 and id = $2 and ${u.isActive} and ${u.dateArchived} is null) then 'user'
       when exists (select from applications where ${app.orgId} = $1 and (id = $3 or ${app.userId} = $2)
         and not (${app.isActive} and ${app.dateArchived} is null)) then 'application'
       else 'token' end as ended`,
    [orgId, userId, appId ?? null],
  );
  return row?.ended ?? "user";
};

const principalOf = (orgId: OrganisationId, row: Row): Principal => ({
  orgId,
  username: row.username,
  kind: row.kind,
  isServiceAccount: row.isServiceAccount,
  grant: grantOf(row),
  isNarrowed: row.isNarrowed,
});
