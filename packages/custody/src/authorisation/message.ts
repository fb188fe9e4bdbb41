import { z } from "zod";
import { keyIdSchema, organisationIdSchema, signatureIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/** The largest message that a key signs as it is, in bytes. */
export const MESSAGE_BYTES_MAX: number = 64 * 1024;

/**
 * A message to sign as it is: Ed25519 signs all of it (RFC 8032), BIP-340 and Taproot keys sign it as
 * BIP-340's message. The authorisation holds the message in full, so a signer signs exactly the authorised
 * bytes (INV-3, INV-8). Bitcoin transactions are not signed this way: the message would be a 32-byte
 * signature hash, of which nobody could tell the content.
 */
export const authorisedMessageSchema = z
  .strictObject({
    version: z.literal(1),
    kind: z.literal("message"),
    requestId: signatureIdSchema,
    orgId: organisationIdSchema,
    keyId: keyIdSchema,
    /** the key's scheme */
    scheme: z.enum(["FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]),
    /** lower-case hex, at most MESSAGE_BYTES_MAX bytes */
    message: z
      .string()
      .max(2 * MESSAGE_BYTES_MAX)
      .regex(/^[0-9a-f]*$/)
      .refine((digits) => digits.length % 2 === 0),
    /**
     * The root of the script tree that a Taproot key is tweaked with (BIP-341), lower-case hex; absent for an
     * empty tree. Each signer tweaks by this root, so only the authority decides under which key a signature
     * verifies.
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
