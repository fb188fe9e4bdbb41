import { z } from "zod";
import { keyIdSchema, organisationIdSchema, signatureIdSchema, walletIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { dateAuthorisedSchema } from "./date-authorised.ts";
import { familyContentSchema } from "./family-content.ts";
import { namedClusterSchema } from "./named-cluster.ts";

const FAMILY_LENGTH = 32;

const hashSchema = z.strictObject({ kind: z.literal("hash"), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * The whole content that a key signs: each signer computes the bytes to sign from it (INV-3). Where a family
 * can read the content, signers read it by that family. A hash is a number that the caller chose, so signers
 * never use a presignature for it (P7).
 */
const signatureContentSchema = z.discriminatedUnion("kind", [
  hashSchema,
  z.strictObject({
    kind: z.literal("readable"),
    family: z.string().max(FAMILY_LENGTH),
    content: familyContentSchema,
  }),
]);
export type SignatureContent = z.infer<typeof signatureContentSchema>;
/** The content that a signer reads before it signs. */
export type ReadableContent = Extract<SignatureContent, { readonly kind: "readable" }>;

const common = {
  kind: z.literal("signature"),
  requestId: signatureIdSchema,
  orgId: organisationIdSchema,
  /** absent when the request was made on the key itself */
  walletId: walletIdSchema.optional(),
  keyId: keyIdSchema,
  policy: policyDecisionSchema,
  dateRequested: z.string(),
};

const currentSchema = z.strictObject({
  ...common,
  version: z.literal(2),
  /**
   * the key's scheme; a FROST key signs content that a family reads, or any other message by
   * `authorisedMessageSchema`
   */
  scheme: z.enum(["ECDSA", "FROST-Ed25519", "FROST-Taproot"]),
  content: signatureContentSchema,
  cluster: namedClusterSchema,
  dateAuthorised: dateAuthorisedSchema,
});
export type AuthorisedSignature = z.infer<typeof currentSchema>;

/** Only ECDSA keys sign a hash of the caller's choice; to a FROST key it is a message like any other. */
const isOfScheme = ({ scheme, content }: AuthorisedSignature): boolean =>
  scheme === "ECDSA" || content.kind === "readable";

/** As Conclave 0.1 signed it: all content but hashes was EVM's. */
const version1Schema = z
  .strictObject({
    ...common,
    version: z.literal(1),
    scheme: z.literal("ECDSA"),
    content: z.union([hashSchema, familyContentSchema.refine(({ kind }) => kind !== "hash")]),
  })
  .transform((signature): AuthorisedSignature => {
    const hash = hashSchema.safeParse(signature.content);
    const content: SignatureContent = hash.success
      ? hash.data
      : { kind: "readable", family: "Evm", content: signature.content };
    return { ...signature, version: 2, content };
  });

/**
 * A signature of content that signers read, or of a hash by an ECDSA key; of this version, or of version 1,
 * which is converted to this version. For messages to FROST keys see `authorisedMessageSchema`.
 */
export const authorisedSignatureSchema = z.union([currentSchema.refine(isOfScheme), version1Schema]);
