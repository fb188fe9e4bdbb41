import type {
  approvalDecisionBodySchema,
  createWebhookBodySchema,
  newPolicyBodySchema,
  policyActionSchema,
  updateWebhookBodySchema,
} from "@conclave/custody";
import type { z } from "zod";
import type { organisationSettingsBodySchema } from "../../schemas/organisation.ts";
import { SAMPLE_IDS } from "../vocabulary/ids.ts";
import type { Examples } from "./examples.ts";

type Action = z.input<typeof policyActionSchema>;
const askOne: Extract<Action, { kind: "RequestApproval" }> = {
  kind: "RequestApproval",
  approvalGroups: [{ name: "Treasurers", quorum: 1, approvers: {} }],
};

export const POLICY_EXAMPLES: Examples<typeof newPolicyBodySchema> = {
  "above 1000 dollars, anybody else has to approve": {
    name: "Large amounts",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionAmountLimit", configuration: { limit: "1000", currency: "USD" } },
    action: askOne,
  },
  "these people approve whatever tagged wallets sign, within a day": {
    name: "Treasury",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: {
      kind: "RequestApproval",
      approvalGroups: [{ name: "Treasurers", quorum: 1, approvers: { userId: { in: [SAMPLE_IDS.userId] } } }],
      autoRejectTimeout: 1_440,
    },
    filters: { walletTags: { hasAny: ["treasury"] } },
  },
  "form: two members of a user group approve changes of policies": {
    name: "Two treasurers for policies",
    activityKind: "Policies:Modify",
    rule: { kind: "AlwaysTrigger" },
    action: {
      kind: "RequestApproval",
      approvalGroups: [
        { name: "Treasurers", quorum: 2, approvers: { userGroupId: { in: [SAMPLE_IDS.userGroupId] } } },
      ],
    },
  },
  "these receivers alone": {
    name: "Known receivers",
    activityKind: "Wallets:Sign",
    rule: {
      kind: "TransactionRecipientWhitelist",
      configuration: { addresses: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"] },
    },
    action: { kind: "Block" },
    filters: { walletId: { in: [SAMPLE_IDS.walletId] } },
  },
  "no more than 5000 dollars a day": {
    name: "Daily limit",
    activityKind: "Wallets:Sign",
    rule: {
      kind: "TransactionAmountVelocity",
      configuration: { limit: "5000", currency: "USD", timeframe: 1_440 },
    },
    action: { kind: "Block" },
  },
  "no more than ten an hour": {
    name: "Hourly count",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionCountVelocity", configuration: { limit: 10, timeframe: 60 } },
    action: { kind: "Block" },
  },
  "permissions are given by two people": {
    name: "Two people for permissions",
    activityKind: "Permissions:Assign",
    rule: { kind: "AlwaysTrigger" },
    action: askOne,
  },
  "policies are changed by two people": {
    name: "Two people for policies",
    activityKind: "Policies:Modify",
    rule: { kind: "AlwaysTrigger" },
    action: askOne,
  },
};

export const DECISION_EXAMPLES: Examples<typeof approvalDecisionBodySchema> = {
  approve: { value: "Approved", reason: "as agreed" },
  deny: { value: "Denied", reason: "not this month" },
};

export const CREATE_WEBHOOK_EXAMPLES: Examples<typeof createWebhookBodySchema> = {
  "what became of transfers": {
    url: "https://example.com/webhook",
    events: ["wallet.transfer.confirmed", "wallet.transfer.failed"],
    description: "the shop's back office",
  },
  everything: { url: "https://example.com/webhook", events: ["*"] },
};

export const UPDATE_WEBHOOK_EXAMPLES: Examples<typeof updateWebhookBodySchema> = {
  "no deliveries for now": { status: "Disabled" },
};

export const ORGANISATION_SETTINGS_EXAMPLES: Examples<typeof organisationSettingsBodySchema> = {
  "coins are gathered while fees are low": { gathersCoins: true },
  "coins stay as they are": { gathersCoins: false },
};
