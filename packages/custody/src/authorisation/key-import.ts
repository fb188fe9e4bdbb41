import { z } from "zod";
import { keyIdSchema, keyImportIdSchema, organisationIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { namedClusterSchema } from "./named-cluster.ts";

const secp256k1 = z.literal("secp256k1");
const importFields = {
  version: z.literal(1),
  kind: z.literal("key-import"),
  requestId: keyImportIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  threshold: z.int().min(2).max(64),
  /** the encrypted shares, one for every signer of the cluster, in the order in which the client sent them */
  shares: z
    .array(
      z.strictObject({
        /** standard base64 of the signer's id, as the API shows it to clients */
        signerId: z.base64().max(88),
        /** SHA-256 of the encrypted share, lower-case hex: the signer decrypts no other share */
        digest: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(2)
    .max(64),
  policy: policyDecisionSchema,
  cluster: namedClusterSchema,
  dateRequested: z.string(),
  dateAuthorised: dateAuthorisedSchema,
};

/**
 * A key that a client sharded for the signers of this cluster. `protocol` and `curve` are the client's names
 * for the scheme with which the key will sign. The authorisation names these very envelopes and a new key id,
 * so it is of use once.
 */
export const authorisedImportSchema = z.discriminatedUnion("scheme", [
  z.strictObject({
    ...importFields,
    scheme: z.literal("ECDSA"),
    protocol: z.enum(["CGGMP21", "CGGMP24"]),
    curve: secp256k1,
  }),
  z.strictObject({
    ...importFields,
    scheme: z.literal("FROST-Ed25519"),
    protocol: z.literal("FROST"),
    curve: z.literal("ed25519"),
  }),
  z.strictObject({
    ...importFields,
    scheme: z.literal("FROST-Taproot"),
    protocol: z.literal("FROST_BITCOIN"),
    curve: secp256k1,
  }),
]);
export type AuthorisedImport = z.infer<typeof authorisedImportSchema>;
