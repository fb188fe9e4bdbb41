import { z } from "zod";
import { keyIdSchema, organisationIdSchema, walletIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { namedClusterSchema } from "./named-cluster.ts";

const keyFields = {
  version: z.literal(1),
  kind: z.literal("key"),
  orgId: organisationIdSchema,
  /** only in requests that were accepted before keys were resources of their own */
  walletId: walletIdSchema.optional(),
  keyId: keyIdSchema,
  threshold: z.int().min(2).max(64),
  policy: policyDecisionSchema,
  cluster: namedClusterSchema,
  dateRequested: z.string(),
  dateAuthorised: dateAuthorisedSchema,
};
const secp256k1 = z.literal("secp256k1");

/** The key's signature scheme and curve. CGGMP24 makes "ECDSA" keys and signs with them. */
export const authorisedKeySchema = z.discriminatedUnion("scheme", [
  z.strictObject({ ...keyFields, scheme: z.literal("ECDSA"), curve: secp256k1 }),
  z.strictObject({ ...keyFields, scheme: z.literal("FROST-Ed25519"), curve: z.literal("ed25519") }),
  z.strictObject({ ...keyFields, scheme: z.enum(["FROST-BIP340", "FROST-Taproot"]), curve: secp256k1 }),
]);
export type AuthorisedKey = z.infer<typeof authorisedKeySchema>;
