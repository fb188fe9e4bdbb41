import { z } from "zod";
import { keyIdSchema, userIdSchema } from "./identifiers.ts";
import { TAGS_MAX } from "./wallet/wallet.ts";

/** Lengths of free text (wire interface, sections E.5 and G). */
const NAME_LENGTH = 100;
const WALLET_EXTERNAL_ID_LENGTH = 100;
const TRANSFER_EXTERNAL_ID_LENGTH = 50;
/** longer than any address, amount or memo of any network; their exact rules are judged with their own error codes */
const FIELD_LENGTH = 256;

/** Text that PostgreSQL and JSON both hold: no NUL and no half surrogate pairs (INV-9: they must not end in a 5xx). */
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !value.includes("\0") && !/\p{Surrogate}/u.test(value), {
      error: "holds characters that cannot be stored",
    });

const field = text(FIELD_LENGTH);

const scheme = z.enum(["DH", "ECDSA", "EdDSA", "Schnorr"]);
const curve = z.enum(["ed25519", "secp256k1", "stark"]);
const deriveFrom = z.strictObject({ keyId: keyIdSchema, path: field.optional() }).optional();
const tag = z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/);
/** Fields of both generations: what is not served is refused by `judgeKeyOptions` with codes of its own. */
const ownership = { delegateTo: userIdSchema.optional(), delayDelegation: z.boolean().optional() };

/** The body of POST /keys. */
export const createKeyBodySchema = z.strictObject({
  scheme,
  curve,
  name: text(NAME_LENGTH).optional(),
  masterKey: z.boolean().optional(),
  deriveFrom,
  storeId: field.optional(),
  ...ownership,
});
export type CreateKeyBody = z.infer<typeof createKeyBodySchema>;

/** The body of PUT /keys/{keyId}; null takes the name away. */
export const updateKeyBodySchema = z.strictObject({ name: text(NAME_LENGTH).nullable() });
export type UpdateKeyBody = z.infer<typeof updateKeyBodySchema>;

/** The body of POST /wallets. Whether the network is known and served is judged by `judgeNetwork`, with codes of its own. */
export const createWalletBodySchema = z.strictObject({
  network: field,
  name: text(NAME_LENGTH).optional(),
  externalId: text(WALLET_EXTERNAL_ID_LENGTH).optional(),
  tags: z.array(tag).max(TAGS_MAX).optional(),
  signingKey: z
    .strictObject({
      id: keyIdSchema.optional(),
      scheme: scheme.optional(),
      curve: curve.optional(),
      storeId: field.optional(),
      deriveFrom,
    })
    .optional(),
  ...ownership,
});
export type CreateWalletBody = z.infer<typeof createWalletBodySchema>;

/** The body of PUT /wallets/{walletId}; null takes a value away, what is left out stays. */
export const updateWalletBodySchema = z.strictObject({
  name: text(NAME_LENGTH).nullable().optional(),
  externalId: text(WALLET_EXTERNAL_ID_LENGTH).nullable().optional(),
});
export type UpdateWalletBody = z.infer<typeof updateWalletBodySchema>;

/** The body of POST /keys/{keyId}/delegate and /wallets/{walletId}/delegate: each generation of clients has its word. */
export const delegateBodySchema = z.union([
  z.strictObject({ delegateTo: userIdSchema }),
  z.strictObject({ userId: userIdSchema }),
]);

/** The body of PUT and DELETE /wallets/{walletId}/tags. */
export const tagsBodySchema = z.strictObject({ tags: z.array(tag).min(1).max(TAGS_MAX) });

const priority = z.enum(["Slow", "Standard", "Fast"]).optional();
export type Priority = z.infer<typeof priority>;
/** wire interface, section F.4: letters and digits, at most 64, or empty */
const memo = z
  .string()
  .regex(/^[a-zA-Z0-9]{0,64}$/)
  .optional();
const externalId = text(TRANSFER_EXTERNAL_ID_LENGTH).optional();

/** The body of POST /wallets/{walletId}/transfers: every kind of the interface, its fields and no others. */
export const transferBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Native"), to: field, amount: field, priority, memo, externalId }),
  z.strictObject({ kind: z.literal("Asa"), assetId: field, to: field, amount: field, externalId }),
  z.strictObject({
    kind: z.literal("Erc20"),
    contract: field,
    to: field,
    amount: field,
    priority,
    externalId,
  }),
  z.strictObject({
    kind: z.literal("Erc721"),
    contract: field,
    to: field,
    tokenId: field,
    priority,
    externalId,
  }),
  z.strictObject({
    kind: z.literal("Sep41"),
    issuer: field,
    assetCode: field,
    to: field,
    amount: field,
    memo,
    externalId,
  }),
  z.strictObject({ kind: z.literal("Trc10"), tokenId: field, to: field, amount: field, externalId }),
  z.strictObject({ kind: z.literal("Trc20"), contract: field, to: field, amount: field, externalId }),
  z.strictObject({ kind: z.literal("Trc721"), contract: field, to: field, tokenId: field, externalId }),
]);
export type TransferBody = z.infer<typeof transferBodySchema>;
