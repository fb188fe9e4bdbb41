import { z } from "zod";
import {
  permissionIdSchema,
  policyIdSchema,
  userGroupIdSchema,
  userIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { isReadable, plainText, shortText, shortTexts } from "../text.ts";
import { CURRENCIES, FIAT_MOST, FIAT_TEXT } from "./fiat.ts";

const NAME_LENGTH = 100;
const ADDRESS_LENGTH = 256;
const MOST_ADDRESSES = 10_000;
/** The largest quorum of an approval group, and the most users that it lists (wire interface, section F.7). */
export const MOST_APPROVERS = 100;
export const MOST_GROUPS = 50;
/** The most user groups that one approval group names. */
const MOST_USER_GROUPS_NAMED = 20;
/** The most policies of an organisation that are not archived: all of them judge each request. */
export const MOST_POLICIES = 500;
const MOST_FILTERED = 1_000;
const MOST_TAGS = 100;
/** wire interface, section F.7: 30 days */
const LONGEST_TIMEFRAME_MINUTES = 43_200;
const LONGEST_TIMEOUT_MINUTES = 525_600;
const MOST_COUNT = 1_000_000;

const alwaysTrigger = z.strictObject({
  kind: z.literal("AlwaysTrigger"),
  configuration: z.strictObject({}).optional(),
});

/** A number in the client libraries, text in the service interface: the response has the form of the request. */
const moneyLimit = z.union([
  z.string().regex(FIAT_TEXT, "is not a decimal number"),
  z.number().min(0).max(FIAT_MOST),
]);
const countLimit = z.union([
  z
    .string()
    .regex(/^\d{1,7}$/, "is not a whole number")
    .refine((digits) => Number(digits) <= MOST_COUNT, "is too large"),
  z.int().min(0).max(MOST_COUNT),
]);
const currency = z.enum(CURRENCIES);
const timeframe = z.int().min(1).max(LONGEST_TIMEFRAME_MINUTES);

/** The rules of every kind of policy. */
export const policyRuleSchema = z.discriminatedUnion("kind", [
  alwaysTrigger,
  z.strictObject({
    kind: z.literal("TransactionAmountLimit"),
    configuration: z.strictObject({ limit: moneyLimit, currency }),
  }),
  z.strictObject({
    kind: z.literal("TransactionAmountVelocity"),
    configuration: z.strictObject({ limit: moneyLimit, currency, timeframe }),
  }),
  z.strictObject({
    kind: z.literal("TransactionCountVelocity"),
    configuration: z.strictObject({ limit: countLimit, timeframe }),
  }),
  z.strictObject({
    kind: z.literal("TransactionRecipientWhitelist"),
    configuration: z.strictObject({ addresses: shortTexts(ADDRESS_LENGTH, MOST_ADDRESSES) }),
  }),
]);
export type SigningRule = z.infer<typeof policyRuleSchema>;

export const approvalGroupSchema = z
  .strictObject({
    name: shortText(NAME_LENGTH).optional(),
    quorum: z.int().min(1).max(MOST_APPROVERS),
    /** these users, and the members of these user groups; with neither: all users of the organisation */
    approvers: z.strictObject({
      userId: z.strictObject({ in: z.array(userIdSchema).min(1).max(MOST_APPROVERS) }).optional(),
      userGroupId: z
        .strictObject({ in: z.array(userGroupIdSchema).min(1).max(MOST_USER_GROUPS_NAMED) })
        .optional(),
    }),
    initiatorCanApprove: z.boolean().optional(),
    serviceAccountsCanApprove: z.boolean().optional(),
  })
  .refine(
    // with user groups the members of that moment count: `unreachableQuorums`
    ({ quorum, approvers: { userId, userGroupId } }) =>
      userId === undefined || userGroupId !== undefined || quorum <= new Set(userId.in).size,
    { path: ["quorum"], error: "is larger than the number of approvers: it could never be reached" },
  );
export type ApprovalGroup = z.infer<typeof approvalGroupSchema>;

const requestApproval = z.strictObject({
  kind: z.literal("RequestApproval"),
  approvalGroups: z.array(approvalGroupSchema).min(1).max(MOST_GROUPS),
  /** minutes; absent or null: no timeout */
  autoRejectTimeout: z.int().min(1).max(LONGEST_TIMEOUT_MINUTES).nullable().optional(),
});
const block = z.strictObject({ kind: z.literal("Block") });
const noAction = z.strictObject({ kind: z.literal("NoAction") });

/** The actions of policies of every kind. */
export const policyActionSchema = z.discriminatedUnion("kind", [requestApproval, block, noAction]);

const tags = z.array(shortText(NAME_LENGTH)).max(MOST_TAGS).optional();
const walletFilters = z.strictObject({
  walletId: z.strictObject({ in: z.array(walletIdSchema).max(MOST_FILTERED) }).optional(),
  walletTags: z.strictObject({ hasAny: tags, hasAll: tags }).optional(),
});
const policyFilters = z.strictObject({
  policyId: z.strictObject({ in: z.array(policyIdSchema).max(MOST_FILTERED) }).optional(),
});
const permissionFilters = z.strictObject({
  permissionId: z.strictObject({ in: z.array(permissionIdSchema).max(MOST_FILTERED) }).optional(),
});
/** The filters of every kind of policy. */
export const policyFiltersSchema = z.union([walletFilters, policyFilters, permissionFilters]);

const name = shortText(NAME_LENGTH);
const permissionFields = {
  name,
  rule: alwaysTrigger,
  action: z.discriminatedUnion("kind", [requestApproval, block]),
  filters: permissionFilters.optional(),
};

/**
 * The body of POST /v2/policies and of PUT /v2/policies/{policyId} (wire interface, section F.7). Rules that
 * ask an outside vendor, and policies on incoming transactions, are refused: this service would never
 * evaluate them.
 */
export const policyBodySchema = z.discriminatedUnion("activityKind", [
  z.strictObject({
    name,
    activityKind: z.literal("Wallets:Sign"),
    rule: policyRuleSchema,
    action: policyActionSchema,
    filters: walletFilters.optional(),
  }),
  z.strictObject({
    name,
    activityKind: z.literal("Policies:Modify"),
    rule: alwaysTrigger,
    action: requestApproval,
    filters: policyFilters.optional(),
  }),
  z.strictObject({ activityKind: z.literal("Permissions:Assign"), ...permissionFields }),
  z.strictObject({ activityKind: z.literal("Permissions:Modify"), ...permissionFields }),
]);
export type PolicyBody = z.infer<typeof policyBodySchema>;

/** The body of a new policy. `policyBodySchema` also reads stored bodies from before names were checked. */
export const newPolicyBodySchema = policyBodySchema.refine(
  ({ name: given, action }) =>
    [
      given,
      ...(action.kind === "RequestApproval" ? action.approvalGroups.map((group) => group.name ?? "") : []),
    ].every(isReadable),
  { path: ["name"], error: "holds control characters, or the name of a group does" },
);

export const ACTIVITY_KINDS = [
  "Wallets:Sign",
  "Policies:Modify",
  "Permissions:Assign",
  "Permissions:Modify",
] as const satisfies readonly PolicyBody["activityKind"][];
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const REASON_LENGTH = 1_000;

/** The body of POST /v2/policy-approvals/{approvalId}/decisions. */
export const approvalDecisionBodySchema = z.strictObject({
  value: z.enum(["Approved", "Denied"]),
  reason: plainText(REASON_LENGTH).optional(),
});
export type ApprovalDecisionBody = z.infer<typeof approvalDecisionBodySchema>;
