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

/** The largest number of keys, besides the wallet's, that sign one transaction. */
const COSIGNERS_MAX = 15;
/** The greatest length of a replacement chain: the requests whose place one request may take. */
export const REPLACED_MAX = 1_000;

const common = {
  version: z.literal(2),
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  /** the wallet's key */
  keyId: keyIdSchema,
  /** other keys that sign the same transaction; no two of the transaction's keys have the same scheme */
  cosigners: z.array(keyIdSchema).max(COSIGNERS_MAX),
  network: z.string(),
  dateRequested: z.string(),
};

/** A transfer as policies judge it, before any decision. */
const transferActSchema = z.strictObject({
  ...common,
  kind: z.literal("transfer"),
  requestId: transferIdSchema,
  /** as the network's family encodes it */
  transfer: familyContentSchema,
});
export type TransferAct = z.infer<typeof transferActSchema>;

/** A transaction as policies judge it, before any decision. */
const transactionActSchema = z.strictObject({
  ...common,
  kind: z.literal("transaction"),
  requestId: transactionIdSchema,
  /** as the network's family encodes it */
  transaction: familyContentSchema,
  /**
   * all requests whose place this one takes, the newest first: the request that it replaces, the one that was
   * replaced before, and so on. At most one of them lands (INV-4)
   */
  replaces: z
    .array(z.union([transferIdSchema, transactionIdSchema]))
    .min(1)
    .max(REPLACED_MAX)
    .optional(),
});
export type TransactionAct = z.infer<typeof transactionActSchema>;

/** The act of a request on a chain. It holds no policy decision, since policies judge the act. */
export type Act = TransferAct | TransactionAct;

/**
 * The statement that the gateway's authority key signs once a request has passed schema, permission and
 * policy, and that every signer checks for itself (INV-3, INV-8). The signature covers the JSON text exactly
 * as it is sent; a signer parses the text only after it has verified the signature.
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

/** An authorised act of this version, or of version 1, which is converted to this version. */
export const authorisedActSchema = z.union([
  authorisedTransferSchema,
  authorisedTransactionSchema,
  authorisedTransferVersion1,
  authorisedTransactionVersion1,
]);

/** Adds the policy decision to an act: the authority signs the result. */
export const authorise = (act: Act, policy: PolicyDecision): AuthorisedAct => ({ ...act, policy });
