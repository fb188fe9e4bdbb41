import { z } from "zod";
import { amountField, requestExternalId, transferField } from "../../chain-request/transfer-fields.ts";

/** A transfer of an Algorand standard asset. */
export const asaBodySchema = z.strictObject({
  kind: z.literal("Asa"),
  assetId: transferField,
  to: transferField,
  amount: amountField,
  externalId: requestExternalId,
});
export type AsaBody = z.infer<typeof asaBodySchema>;
