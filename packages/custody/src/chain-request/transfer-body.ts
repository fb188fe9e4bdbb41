import { z } from "zod";
import { asaBodySchema } from "../families/algorand/transfer-body.ts";
import { erc20BodySchema, erc721BodySchema } from "../families/evm/transfer-body.ts";
import { spl2022BodySchema, splBodySchema } from "../families/solana/transfer-body.ts";
import { sep41BodySchema } from "../families/stellar/transfer-body.ts";
import { trc10BodySchema, trc20BodySchema, trc721BodySchema } from "../families/tron/transfer-body.ts";
import {
  amountField,
  memoField,
  priorityField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "./transfer-fields.ts";

const field = transferField;
const externalId = requestExternalId;

/** The body of POST /wallets/{walletId}/transfers: every kind of the interface, its fields and no others. */
export const transferBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Native"),
    to: field,
    amount: amountField,
    priority: priorityField,
    memo: memoField,
    sendAnyway: sendAnywayField,
    externalId,
  }),
  asaBodySchema,
  erc20BodySchema,
  erc721BodySchema,
  sep41BodySchema,
  splBodySchema,
  spl2022BodySchema,
  trc10BodySchema,
  trc20BodySchema,
  trc721BodySchema,
]);
export type TransferBody = z.infer<typeof transferBodySchema>;
