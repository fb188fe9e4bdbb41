import { z } from "zod";
import {
  keyIdSchema,
  organisationIdSchema,
  transactionIdSchema,
  transferIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { type PolicyDecision, policyDecisionSchema } from "../policies/policy-decision.ts";
import { authorisedTransactionVersion1, authorisedTransferVersion1 } from "./act-version-1.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { familyContentSchema } from "./family-content.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/** Keys beside the wallet's that a transaction may need signatures of. */
const COSIGNERS_MAX = 15;
/** Requests whose place one request may take: a replacement chain is at most this long. */
export const REPLACED_MAX = 1_000;

const common = {
  version: z.literal(2),
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  /** the wallet's key */
  keyId: keyIdSchema,
  /** other keys that sign the same transaction, each of another scheme than the wallet's and than one another */
  cosigners: z.array(keyIdSchema).max(COSIGNERS_MAX),
  network: z.string(),
  dateRequested: z.string(),
};

/** A transfer as policies judge it, before any decision. */
const transferActSchema = z.strictObject({
  ...common,
  kind: z.literal("transfer"),
  requestId: transferIdSchema,
  /** as the network's family writes it */
  transfer: familyContentSchema,
});
export type TransferAct = z.infer<typeof transferActSchema>;

/** A transaction as policies judge it, before any decision. */
const transactionActSchema = z.strictObject({
  ...common,
  kind: z.literal("transaction"),
  requestId: transactionIdSchema,
  /** as the network's family writes it */
  transaction: familyContentSchema,
  /**
   * all requests whose place it takes, the newest first: what it replaces, what that one replaced, and so on. At most
   * one of them lands (INV-4)
   */
  replaces: z
    .array(z.union([transferIdSchema, transactionIdSchema]))
    .min(1)
    .max(REPLACED_MAX)
    .optional(),
});
export type TransactionAct = z.infer<typeof transactionActSchema>;

/** The act of a request on a chain. It does not depend on the decision of policies, which judge it. */
export type Act = TransferAct | TransactionAct;

/**
 * The statement that the gateway's authority key signs once a request has passed schema, permission and policy,
 * and that every signer checks for itself (INV-3, INV-8). The signed bytes are the JSON text as it travels; it
 * is parsed only after the signature has been verified.
 */
const authorised = {
  policy: policyDecisionSchema,
  cluster: namedClusterSchema,
  dateAuthorised: dateAuthorisedSchema,
};
export const authorisedTransferSchema = transferActSchema.extend(authorised);
export type AuthorisedTransfer = z.infer<typeof authorisedTransferSchema>;

export const authorisedTransactionSchema = transactionActSchema.extend(authorised);
export type AuthorisedTransaction = z.infer<typeof authorisedTransactionSchema>;

export type AuthorisedAct = AuthorisedTransfer | AuthorisedTransaction;

/** An authorised act of this version, or of version 1, which is read as one of this version. */
export const authorisedActSchema = z.union([
  authorisedTransferSchema,
  authorisedTransactionSchema,
  authorisedTransferVersion1,
  authorisedTransactionVersion1,
]);

/** The act with the decision that allows it: what the authority signs. */
export const authorise = (act: Act, policy: PolicyDecision): AuthorisedAct => ({ ...act, policy });
