import { z } from "zod";

/** Lengths of free text (wire interface, sections E.5 and G). */
const NAME_LENGTH = 100;
const WALLET_EXTERNAL_ID_LENGTH = 100;
const TRANSFER_EXTERNAL_ID_LENGTH = 50;
const TAGS = 10;
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

/** The body of POST /wallets. Whether the network is known and served is judged by `judgeNetwork`, with codes of its own. */
export const createWalletBodySchema = z.strictObject({
  network: field,
  name: text(NAME_LENGTH).optional(),
  externalId: text(WALLET_EXTERNAL_ID_LENGTH).optional(),
  tags: z
    .array(z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/))
    .max(TAGS)
    .optional(),
});
export type CreateWalletBody = z.infer<typeof createWalletBodySchema>;

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
