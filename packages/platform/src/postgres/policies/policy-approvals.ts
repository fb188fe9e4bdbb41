import {
  ACTIVITY_KINDS,
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalId,
  type ApprovalVoice,
  applicationIdSchema,
  approvalGroupSchema,
  approvalIdSchema,
  approvalSubjectSchema,
  type OrganisationId,
  organisationIdSchema,
  policyIdSchema,
  tokenIdSchema,
  type UserId,
  userIdSchema,
  VOICES,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { listOf, selectionOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";
import { groupMembers } from "../user-groups/members.ts";
import { evaluations } from "./policy-evaluations.ts";

const evaluationSchema = z
  .object({
    policyId: policyIdSchema,
    triggered: z.boolean(),
    reason: z.string(),
    context: optional(z.record(z.string(), z.unknown())),
  })
  .transform(({ context, ...rest }) => (context === undefined ? rest : { ...rest, context }));

const decisionSchema = z.object({
  userId: userIdSchema,
  isServiceAccount: z.boolean(),
  value: z.enum(VOICES),
  reason: optional(z.string()),
  tokenId: optional(tokenIdSchema),
  appId: optional(applicationIdSchema),
  /** milliseconds since 1970, because JSON has no dates */
  date: z.number().transform((ms) => new Date(ms).toISOString()),
});

const { columns: m } = groupMembers;

const columns = {
  id: approvalIdSchema,
  orgId: organisationIdSchema,
  initiatorId: userIdSchema,
  activityKind: z.enum(ACTIVITY_KINDS),
  subjectKind: z.string(),
  subjectId: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  groups: z.array(approvalGroupSchema.safeExtend({ policyId: policyIdSchema })),
  dateExpires: optional(date),
  dateCreated: date,
  dateUpdated: date,
  dateResolved: optional(date),
  dateWithdrawn: optional(date),
};

const rowSchema = z
  .object({
    ...columns,
    subject: approvalSubjectSchema,
    evaluations: z.array(evaluationSchema),
    decisions: z.array(decisionSchema),
  })
  .transform(
    ({ dateExpires: expirationDate, subjectKind: _, subjectId: __, ...row }): Approval => ({
      ...row,
      expirationDate,
    }),
  );

const { columns: e } = evaluations;

const SELECT = `
  select ${listOf(columns, "a")}, jsonb_build_object('kind', a.subject_kind, 'id', a.subject_id) as subject,
    (select coalesce(jsonb_agg(jsonb_build_object('policyId', e.${e.policyId}, 'triggered', e.triggered,
        'reason', e.reason, 'context', e.context) order by e.position), '[]')
       from policy_evaluations e where e.${e.subjectId} = a.subject_id and not exists (
         select from policy_evaluations later where later.${e.subjectId} = e.${e.subjectId}
           and later.${e.policyId} = e.${e.policyId} and later.position > e.position)) as evaluations,
    (select coalesce(jsonb_agg(jsonb_build_object('userId', d.user_id, 'isServiceAccount', d.is_service_account,
        'value', d.value, 'reason', d.reason, 'tokenId', d.token_id, 'appId', d.app_id, 'date', round(extract(epoch from d.date) * 1000)) order by d.date, d.user_id), '[]')
       from policy_approval_decisions d where d.approval_id = a.id) as decisions
  from policy_approvals a`;

const approvals = mappedTable(
  "policy_approvals",
  columns,
  {
    row: rowSchema,
    derived: ({ subject, expirationDate }: Approval) => ({
      subjectKind: subject.kind,
      subjectId: subject.id,
      dateExpires: expirationDate,
    }),
  },
  { changing: ["status", "dateUpdated", "dateResolved"], joined: { select: SELECT, alias: "a" } },
);

/** Inserts an approval; its evaluations are those stored for its subject. */
export const insertApproval = async (connection: Connection, approval: Approval): Promise<void> => {
  await approvals.insert(connection, approval);
};

/** Writes the columns of an approval that can change, without its votes. */
export const updateApproval = async (connection: Connection, approval: Approval): Promise<void> => {
  if (!(await approvals.update(connection, approval)))
    throw new Error(`${approval.id} is not there to be updated`);
};

/** Writes which groups an approval asks, and until when. Only the gateway may write these columns. */
export const updateAsked = async (
  connection: Connection,
  { id, groups, expirationDate }: Approval,
): Promise<void> => {
  await connection.execute("update policy_approvals set groups = $2, date_expires = $3 where id = $1", [
    id,
    JSON.stringify(groups),
    expirationDate,
  ]);
};

/** Records that the subject of an approval was aborted, in a column that only the gateway writes. */
export const recordWithdrawal = async (
  connection: Connection,
  approvalId: ApprovalId,
  date: string,
): Promise<void> => {
  await connection.execute("update policy_approvals set date_withdrawn = $2 where id = $1", [
    approvalId,
    date,
  ]);
};

/** Inserts a vote; the table refuses a second vote of the same person. */
export const insertVoice = async (
  connection: Connection,
  approvalId: ApprovalId,
  voice: ApprovalVoice,
): Promise<void> => {
  await connection.execute(
    `insert into policy_approval_decisions
       (approval_id, user_id, is_service_account, value, reason, date, token_id, app_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (approval_id, user_id) do update set is_service_account = $3, value = $4, reason = $5, date = $6,
       token_id = $7, app_id = $8`,
    [
      approvalId,
      voice.userId,
      voice.isServiceAccount,
      voice.value,
      voice.reason,
      voice.date,
      voice.tokenId,
      voice.appId,
    ],
  );
};

export const readApproval = (
  connection: Connection,
  orgId: OrganisationId,
  id: ApprovalId,
): Promise<Approval | undefined> => approvals.one(connection, { orgId, id });

/** Reads an approval and locks its row until the transaction ends. */
export const lockApproval = async (
  connection: Connection,
  orgId: OrganisationId,
  id: ApprovalId,
): Promise<Approval | undefined> => {
  // lock first: votes are read once nobody else can add one
  await connection.execute("select 1 from policy_approvals where org_id = $1 and id = $2 for update", [
    orgId,
    id,
  ]);
  return readApproval(connection, orgId, id);
};

export interface ApprovalSelection {
  /** an unknown status selects no approval */
  readonly status?: string | undefined;
  readonly initiatorId?: UserId | undefined;
  /** a user who is, or was, asked to approve; of user groups, the members of now */
  readonly approverId?: UserId | undefined;
  /** whether a policy triggered */
  readonly triggered?: boolean | undefined;
}

/** Lists the approvals of an organisation, newest first. */
export const listApprovals = (
  connection: Connection,
  orgId: OrganisationId,
  { status, initiatorId, approverId, triggered }: ApprovalSelection,
  page: Page,
): Promise<Listed<Approval>> =>
  approvals.page(
    connection,
    `a.org_id = $1
       and ($2::text is null or a.status = $2)
       and ($3::text is null or a.initiator_id = $3)
       and ($4::text is null or exists (
         select 1 from jsonb_array_elements(case jsonb_typeof(a.groups) when 'array' then a.groups else '[]' end) g
         where coalesce(g #> '{approvers,userId}', g #> '{approvers,userGroupId}') is null
           or jsonb_exists(g #> '{approvers,userId,in}', $4)
           or exists (
             select 1 from user_group_members m
             where m.${m.userId} = $4 and jsonb_exists(g #> '{approvers,userGroupId,in}', m.${m.groupId}))))
       and ($5::boolean is null or exists (
         select 1 from policy_evaluations e where e.${e.subjectId} = a.subject_id and e.triggered = $5))`,
    [orgId, status ?? null, initiatorId ?? null, approverId ?? null, triggered ?? null],
    page,
  );

const { id, orgId } = columns;
const overdue = selectionOf({ id, orgId });

/**
 * Pending approvals that expired by $1, and expired approvals whose subject still waits, so that no subject waits for
 * ever.
 */
const OVERDUE = `select a.id, a.org_id from policy_approvals a where a.status = 'Pending' and a.date_expires <= $1
  union
  select a.id, a.org_id from policy_approvals a
  where a.status = 'Expired' and a.subject_id in (
    select id from chain_requests where status = 'Pending' and authorisation is null
    union all select id from signatures where status = 'Pending' and authorisation is null
    union all select id from change_requests where status = 'Pending')`;

const textSchema = z.object({ id: z.string() }).transform(({ id }) => id);

/**
 * Lists the ids of overdue approvals, in pages, in order of the ids. It reads no other column, so that an unreadable
 * row does not stop it.
 *
 * @param now ISO 8601 UTC
 * @param afterId the last id of the previous page; "" for the first page
 */
export const listOverdueApprovals = (
  connection: Connection,
  now: string,
  afterId: string,
  limit: number,
): Promise<readonly string[]> =>
  connection.rows(textSchema, `select id from (${OVERDUE}) overdue where id > $2 order by id limit $3`, [
    now,
    afterId,
    limit,
  ]);

/**
 * Reads an approval and locks it until the transaction ends, if it is still overdue and no other transaction holds it.
 *
 * @param now ISO 8601 UTC
 * @throws UnreadableRow
 */
export const takeOverdueApproval = async (
  connection: Connection,
  id: string,
  now: string,
): Promise<Approval | undefined> => {
  const hold = "select from policy_approvals where id = $1 for update skip locked";
  if ((await connection.execute(hold, [id])) === 0) return undefined;
  // another process may have settled it before the lock
  const [found] = await connection.rows(
    overdue.row,
    `select ${overdue.list} from (${OVERDUE}) overdue where id = $2`,
    [now, id],
  );
  return found === undefined ? undefined : readApproval(connection, found.orgId, found.id);
};
