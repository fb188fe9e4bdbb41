import { z } from "zod";
import {
  amountField,
  memoField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "../../chain-request/transfer-fields.ts";

/** A transfer of an asset of Stellar's own ledger, which contracts know by the token interface SEP-41. */
export const sep41BodySchema = z.strictObject({
  kind: z.literal("Sep41"),
  issuer: transferField,
  assetCode: transferField,
  to: transferField,
  amount: amountField,
  memo: memoField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
});
export type Sep41Body = z.infer<typeof sep41BodySchema>;
