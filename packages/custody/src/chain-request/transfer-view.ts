import { z } from "zod";
import { transferAssetSchema } from "../network.ts";
import type { Transfer } from "./chain-request.ts";
import { chainRequestView, chainRequestViewFields } from "./request-view.ts";
import { transferBodySchema } from "./transfer-body.ts";

/** The Transfer that the API answers. */
export const transferViewSchema = z.object({
  ...chainRequestViewFields,
  requestBody: transferBodySchema,
  metadata: z.object({ asset: transferAssetSchema }),
});
export type TransferView = z.infer<typeof transferViewSchema>;

/** Shows a transfer. */
export const transferView = (transfer: Transfer): TransferView => ({
  ...chainRequestView(transfer),
  requestBody: transfer.requestBody,
  metadata: transfer.metadata,
});
