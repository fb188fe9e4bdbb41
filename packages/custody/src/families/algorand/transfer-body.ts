import { z } from "zod";
import {
  amountField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "../../chain-request/transfer-fields.ts";

/** A transfer of an Algorand standard asset. */
export const asaBodySchema = z.strictObject({
  kind: z.literal("Asa"),
  assetId: transferField,
  to: transferField,
  amount: amountField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type AsaBody = z.infer<typeof asaBodySchema>;
