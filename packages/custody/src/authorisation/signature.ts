import { z } from "zod";
import { typedDataSchema } from "../families/evm/typed-data.ts";
import { keyIdSchema, organisationIdSchema, signatureIdSchema, walletIdSchema } from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { UNSIGNED_BYTES_MAX } from "../signature/signature-body.ts";
import { authorisedTransferSchema, MESSAGE_BYTES_MAX } from "./authorisation.ts";
import { authorisedTransactionSchema } from "./transaction.ts";

/** Lower-case hex of whole bytes. */
const bytes = (most: number) =>
  z
    .string()
    .max(2 * most)
    .regex(/^([0-9a-f]{2})*$/);

/**
 * What an ECDSA key signs, whole: each signer computes the digest from it (INV-3). All but a hash are things that a
 * signer has read; a hash is a number that somebody chose, so it never meets a presignature (P7).
 */
export const signatureContentSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("hash"), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** signed as EIP-191's personal message (version 0x45) */
  z.strictObject({ kind: z.literal("message"), message: bytes(MESSAGE_BYTES_MAX) }),
  z.strictObject({ kind: z.literal("eip712"), typedData: typedDataSchema }),
  /** signed, not broadcast: the canonical unsigned bytes, for the chain of this network */
  z.strictObject({
    kind: z.literal("transaction"),
    network: z.string(),
    transaction: bytes(UNSIGNED_BYTES_MAX),
  }),
]);
export type SignatureContent = z.infer<typeof signatureContentSchema>;
/** What a signer reads before it signs. */
export type ReadableContent = Exclude<SignatureContent, { readonly kind: "hash" }>;

/** A signature of an ECDSA key. FROST keys sign what `authorisedMessageSchema` holds. */
export const authorisedSignatureSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("signature"),
  requestId: signatureIdSchema,
  orgId: organisationIdSchema,
  /** absent when the key itself was asked */
  walletId: walletIdSchema.optional(),
  keyId: keyIdSchema,
  scheme: z.literal("ECDSA"),
  content: signatureContentSchema,
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedSignature = z.infer<typeof authorisedSignatureSchema>;

/** What a quorum of an ECDSA key may be asked to sign. */
export const authorisedSigningSchema = z.discriminatedUnion("kind", [
  authorisedTransferSchema,
  authorisedTransactionSchema,
  authorisedSignatureSchema,
]);
export type AuthorisedSigning = z.infer<typeof authorisedSigningSchema>;
