import { z } from "zod";
import {
  amountField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "../../chain-request/transfer-fields.ts";

/** A transfer of a token of TRON's own ledger. */
export const trc10BodySchema = z.strictObject({
  kind: z.literal("Trc10"),
  tokenId: transferField,
  to: transferField,
  amount: amountField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Trc10Body = z.infer<typeof trc10BodySchema>;

/** A transfer of a token of a contract. */
export const trc20BodySchema = z.strictObject({
  kind: z.literal("Trc20"),
  contract: transferField,
  to: transferField,
  amount: amountField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Trc20Body = z.infer<typeof trc20BodySchema>;

/** A transfer of a token that is one of a kind. */
export const trc721BodySchema = z.strictObject({
  kind: z.literal("Trc721"),
  contract: transferField,
  to: transferField,
  tokenId: transferField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Trc721Body = z.infer<typeof trc721BodySchema>;
