import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";

/** Ids are a kind prefix and base-36 groups: `wa-5c3k1-9qzt0-8d1v7h2m4n6p0r2s` (wire interface, section G). */
const idSchema = <Prefix extends string>(prefix: Prefix) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$`))
    .brand<`${Prefix}-id`>();

export const organisationIdSchema = idSchema("or");
export const userIdSchema = idSchema("us");
export const applicationIdSchema = idSchema("ap");
export const tokenIdSchema = idSchema("to");
export const userGroupIdSchema = idSchema("ug");
export const permissionIdSchema = idSchema("pm");
export const assignmentIdSchema = idSchema("as");
export const auditLogIdSchema = idSchema("al");
export const credentialUuidSchema = idSchema("cr");
export const walletIdSchema = idSchema("wa");
export const bulkJobIdSchema = idSchema("bwj");
export const keyIdSchema = idSchema("key");
export const keyChangeIdSchema = idSchema("kch");
export const keyImportIdSchema = idSchema("kim");
export const keyExportIdSchema = idSchema("kex");
export const transferIdSchema = idSchema("xfr");
export const transactionIdSchema = idSchema("tx");
export const policyIdSchema = idSchema("plc");
export const policyEvaluationIdSchema = idSchema("plce");
/** approvals share their prefix with applications (wire interface, section F.7) */
export const approvalIdSchema = idSchema("ap");
export const changeRequestIdSchema = idSchema("cr");
export const signatureIdSchema = idSchema("sig");
export const depositIdSchema = idSchema("dep");
export const addressWatchIdSchema = idSchema("aw");
export const watchedMovementIdSchema = idSchema("awm");
export const eventIdSchema = idSchema("evt");
export const webhookIdSchema = idSchema("wh");
/** `wh-`, as the interface says; older versions wrote `whe-`, and such events are listed until they are pruned */
export const webhookEventIdSchema = idSchema("whe?");

export type OrganisationId = z.infer<typeof organisationIdSchema>;
export type UserId = z.infer<typeof userIdSchema>;
export type ApplicationId = z.infer<typeof applicationIdSchema>;
export type TokenId = z.infer<typeof tokenIdSchema>;
export type UserGroupId = z.infer<typeof userGroupIdSchema>;
export type PermissionId = z.infer<typeof permissionIdSchema>;
export type AssignmentId = z.infer<typeof assignmentIdSchema>;
export type AuditLogId = z.infer<typeof auditLogIdSchema>;
export type CredentialUuid = z.infer<typeof credentialUuidSchema>;
export type WalletId = z.infer<typeof walletIdSchema>;
export type BulkJobId = z.infer<typeof bulkJobIdSchema>;
export type KeyId = z.infer<typeof keyIdSchema>;
export type KeyExportId = z.infer<typeof keyExportIdSchema>;
export type TransferId = z.infer<typeof transferIdSchema>;
export type TransactionId = z.infer<typeof transactionIdSchema>;
export type PolicyId = z.infer<typeof policyIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type ChangeRequestId = z.infer<typeof changeRequestIdSchema>;
export type SignatureId = z.infer<typeof signatureIdSchema>;
export type DepositId = z.infer<typeof depositIdSchema>;
export type AddressWatchId = z.infer<typeof addressWatchIdSchema>;
export type WatchedMovementId = z.infer<typeof watchedMovementIdSchema>;
export type EventId = z.infer<typeof eventIdSchema>;
export type WebhookId = z.infer<typeof webhookIdSchema>;
export type WebhookEventId = z.infer<typeof webhookEventIdSchema>;

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 26;

/** Formats 26 random bytes as an id body of 5-5-16 characters. The bias of 256 mod 36 costs at most half a bit. */
const idBody = (random: Uint8Array): string => {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`an id takes ${RANDOM_BYTES} random bytes`);
  const text = Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length] ?? "0").join("");
  return `${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10, 26)}`;
};

export const makeId = <Schema extends z.ZodType>(
  schema: Schema,
  prefix: string,
  random: Uint8Array,
): z.output<Schema> => schema.parse(`${prefix}-${idBody(random)}`);

/**
 * An id that derives from these values alone, so that a database that lost the record gives the same thing
 * the same id again. It has the form of a fresh id.
 * @param values always in the same order; together they identify one thing of the prefix's kind
 */
export const idFrom = <Schema extends z.ZodType>(
  schema: Schema,
  prefix: string,
  values: readonly string[],
): z.output<Schema> =>
  makeId(schema, prefix, sha256(utf8ToBytes(JSON.stringify([prefix, ...values]))).slice(0, RANDOM_BYTES));
