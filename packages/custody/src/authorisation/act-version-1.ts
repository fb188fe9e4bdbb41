import { z } from "zod";
import {
  keyIdSchema,
  organisationIdSchema,
  transactionIdSchema,
  transferIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { familyContentSchema } from "./family-content.ts";

/**
 * Authorised acts as Conclave 0.1 signed them, when EVM was the only family. Signers still sign them: a
 * request that was accepted before an upgrade is carried out after the upgrade (INV-5). Parsing one gives the
 * equivalent act of version 2.
 */
const common = {
  version: z.literal(1),
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  keyId: keyIdSchema,
  network: z.string(),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
};

const upgraded = { version: 2 as const, cosigners: [] };

export const authorisedTransferVersion1 = z
  .strictObject({
    ...common,
    kind: z.literal("transfer"),
    requestId: transferIdSchema,
    transfer: familyContentSchema,
  })
  .transform((act) => ({ ...act, ...upgraded }));

/** Version 1 also named the replaced transaction by its account nonce, which the transaction itself now holds. */
export const authorisedTransactionVersion1 = z
  .strictObject({
    ...common,
    kind: z.literal("transaction"),
    requestId: transactionIdSchema,
    transaction: familyContentSchema,
    replaces: z
      .strictObject({
        requestId: z.union([transferIdSchema, transactionIdSchema]),
        nonce: z.int().min(0),
      })
      .optional(),
  })
  .refine(
    ({ replaces, transaction: { nonce } }) =>
      replaces === undefined || nonce === undefined || nonce === replaces.nonce,
    {
      error: "the transaction has another account nonce than what it replaces",
    },
  )
  .transform(({ replaces, ...act }) =>
    replaces === undefined
      ? { ...act, ...upgraded }
      : {
          ...act,
          ...upgraded,
          transaction: { ...act.transaction, nonce: replaces.nonce },
          replaces: [replaces.requestId],
        },
  );
