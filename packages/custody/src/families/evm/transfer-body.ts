import { z } from "zod";
import {
  amountField,
  priorityField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "../../chain-request/transfer-fields.ts";

/** Transfers that only EVM networks know. */
export const erc20BodySchema = z.strictObject({
  kind: z.literal("Erc20"),
  contract: transferField,
  to: transferField,
  amount: amountField,
  priority: priorityField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Erc20Body = z.infer<typeof erc20BodySchema>;

export const erc721BodySchema = z.strictObject({
  kind: z.literal("Erc721"),
  contract: transferField,
  to: transferField,
  tokenId: transferField,
  priority: priorityField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Erc721Body = z.infer<typeof erc721BodySchema>;
