import { z } from "zod";
import { keyIdSchema, userIdSchema } from "../identifiers.ts";
import { nameText, shortText } from "../text.ts";

/** Lengths of free text (wire interface, sections E.5 and G). */
const NAME_LENGTH = 100;
const FIELD_LENGTH = 256;

export const askedSchemeSchema = z.enum(["DH", "ECDSA", "EdDSA", "Schnorr"]);
export const askedCurveSchema = z.enum(["ed25519", "secp256k1", "stark"]);
export const storeIdSchema = shortText(FIELD_LENGTH);
export const deriveFromSchema = z
  .strictObject({ keyId: keyIdSchema, path: shortText(FIELD_LENGTH).optional() })
  .optional();
/**
 * Fields that older and newer client libraries send. `judgeKeyOptions` refuses those that are not served,
 * each with its own code.
 */
export const ownershipFields = {
  delegateTo: userIdSchema.optional(),
  delayDelegation: z.boolean().optional(),
};

/** The body of POST /keys. */
export const createKeyBodySchema = z.strictObject({
  scheme: askedSchemeSchema,
  curve: askedCurveSchema,
  name: nameText(NAME_LENGTH).optional(),
  masterKey: z.boolean().optional(),
  deriveFrom: deriveFromSchema,
  storeId: storeIdSchema.optional(),
  ...ownershipFields,
});
export type CreateKeyBody = z.infer<typeof createKeyBodySchema>;

/** The body of PUT /keys/{keyId}; null removes the name. */
export const updateKeyBodySchema = z.strictObject({ name: nameText(NAME_LENGTH).nullable() });

/**
 * The body of POST /keys/{keyId}/delegate and /wallets/{walletId}/delegate: older and newer client libraries
 * name the user by different fields.
 */
export const delegateBodySchema = z.union([
  z.strictObject({ delegateTo: userIdSchema }),
  z.strictObject({ userId: userIdSchema }),
]);
