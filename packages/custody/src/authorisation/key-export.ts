import { z } from "zod";
import { keyExportIdSchema, keyIdSchema, organisationIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/**
 * A key leaves the cluster: every signer that accepts this seals its share for one client. The holder of the
 * private half of the encryption key can restore the key from t sealed shares.
 */
export const authorisedExportSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key-export"),
  requestId: keyExportIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  /** the client's names for the key's scheme */
  protocol: z.enum(["CGGMP21", "CGGMP24", "FROST", "FROST_BITCOIN"]),
  curve: z.enum(["secp256k1", "ed25519"]),
  /** the client's public key, lower-case hex: 01, then a point of secp256k1, compressed or not */
  encryptionKey: z.string().regex(/^01(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/),
  /** whether each signer sends the chain code with its share: clients from before 2025 do not know the field */
  withChainCode: z.boolean(),
  policy: policyDecisionSchema,
  cluster: namedClusterSchema,
  dateRequested: z.string(),
  dateAuthorised: dateAuthorisedSchema,
});
export type AuthorisedExport = z.infer<typeof authorisedExportSchema>;
