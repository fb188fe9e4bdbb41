import { z } from "zod";
import { keyIdSchema, organisationIdSchema, signatureIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/** The largest message that is signed as such, in bytes. */
export const MESSAGE_BYTES_MAX: number = 64 * 1024;

/**
 * A message to sign as it is: Ed25519 takes it whole (RFC 8032), BIP-340 and Taproot keys sign it as BIP-340's message.
 * It stands here in full, so a signer signs the very bytes that were authorised, and no caller hands in others (INV-3,
 * INV-8). A Bitcoin transaction is not signed this way: its 32-byte signature hash would be a message that nobody read.
 */
export const authorisedMessageSchema = z
  .strictObject({
    version: z.literal(1),
    kind: z.literal("message"),
    requestId: signatureIdSchema,
    orgId: organisationIdSchema,
    keyId: keyIdSchema,
    /** of the key */
    scheme: z.enum(["FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]),
    /** lower-case hex, at most MESSAGE_BYTES_MAX bytes */
    message: z
      .string()
      .max(2 * MESSAGE_BYTES_MAX)
      .regex(/^[0-9a-f]*$/)
      .refine((digits) => digits.length % 2 === 0),
    /**
     * The root of the script tree that a Taproot key is tweaked with (BIP-341), lower-case hex; absent for an empty tree. Each signer
     * tweaks by what stands here, so nobody but the authority says under which key a signature verifies.
     */
    merkleRoot: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    policy: policyDecisionSchema,
    cluster: namedClusterSchema,
    dateRequested: z.string(),
    dateAuthorised: dateAuthorisedSchema,
  })
  .refine(({ scheme, merkleRoot }) => merkleRoot === undefined || scheme === "FROST-Taproot");
export type AuthorisedMessage = z.infer<typeof authorisedMessageSchema>;
