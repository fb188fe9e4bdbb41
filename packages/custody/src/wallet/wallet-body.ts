import { z } from "zod";
import { keyIdSchema } from "../identifiers.ts";
import {
  askedCurveSchema,
  askedSchemeSchema,
  deriveFromSchema,
  ownershipFields,
  storeIdSchema,
} from "../key/key-body.ts";
import { nameText, shortText } from "../text.ts";
import { TAGS_MAX } from "./wallet.ts";

/** Lengths of free text (wire interface, sections E.5 and G). */
export const WALLET_NAME_LENGTH = 100;
const EXTERNAL_ID_LENGTH = 100;
/** longer than the name of any network; which names are known is checked later, with error codes of its own */
const NETWORK_LENGTH = 256;

const tag = z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/);

/**
 * The body of POST /wallets. `judgeNetwork` judges whether the network is known and served, with error codes
 * of its own.
 */
export const createWalletBodySchema = z.strictObject({
  network: shortText(NETWORK_LENGTH),
  name: nameText(WALLET_NAME_LENGTH).optional(),
  externalId: shortText(EXTERNAL_ID_LENGTH).optional(),
  tags: z.array(tag).max(TAGS_MAX).optional(),
  signingKey: z
    .strictObject({
      id: keyIdSchema.optional(),
      scheme: askedSchemeSchema.optional(),
      curve: askedCurveSchema.optional(),
      storeId: storeIdSchema.optional(),
      deriveFrom: deriveFromSchema,
    })
    .optional(),
  ...ownershipFields,
});
export type CreateWalletBody = z.infer<typeof createWalletBodySchema>;

/** The body of PUT /wallets/{walletId}; null removes a value, absent fields stay unchanged. */
export const updateWalletBodySchema = z.strictObject({
  name: nameText(WALLET_NAME_LENGTH).nullable().optional(),
  externalId: shortText(EXTERNAL_ID_LENGTH).nullable().optional(),
});
export type UpdateWalletBody = z.infer<typeof updateWalletBodySchema>;

/** The body of PUT and DELETE /wallets/{walletId}/tags. */
export const tagsBodySchema = z.strictObject({ tags: z.array(tag).min(1).max(TAGS_MAX) });
