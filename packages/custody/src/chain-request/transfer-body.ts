import { z } from "zod";
import { asaBodySchema } from "../families/algorand/transfer-body.ts";
import { erc20BodySchema, erc721BodySchema } from "../families/evm/transfer-body.ts";
import { spl2022BodySchema, splBodySchema } from "../families/solana/transfer-body.ts";
import { sep41BodySchema } from "../families/stellar/transfer-body.ts";
import { memoField, priorityField, requestExternalId, transferField } from "./transfer-fields.ts";

const field = transferField;
const externalId = requestExternalId;

/** The body of POST /wallets/{walletId}/transfers: every kind of the interface, its fields and no others. */
export const transferBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Native"),
    to: field,
    amount: field,
    priority: priorityField,
    memo: memoField,
    externalId,
  }),
  asaBodySchema,
  erc20BodySchema,
  erc721BodySchema,
  sep41BodySchema,
  splBodySchema,
  spl2022BodySchema,
  z.strictObject({ kind: z.literal("Trc10"), tokenId: field, to: field, amount: field, externalId }),
  z.strictObject({ kind: z.literal("Trc20"), contract: field, to: field, amount: field, externalId }),
  z.strictObject({ kind: z.literal("Trc721"), contract: field, to: field, tokenId: field, externalId }),
]);
export type TransferBody = z.infer<typeof transferBodySchema>;
