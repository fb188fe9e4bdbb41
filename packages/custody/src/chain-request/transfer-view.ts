import { z } from "zod";
import { isFungible, transferAssetSchema } from "../network.ts";
import type { Transfer } from "./chain-request.ts";
import { chainRequestView, chainRequestViewFields } from "./request-view.ts";
import { transferBodySchema } from "./transfer-body.ts";

/** The Transfer in API responses. */
export const transferViewSchema = z.object({
  ...chainRequestViewFields,
  requestBody: transferBodySchema,
  metadata: z.object({ asset: transferAssetSchema }),
});
export type TransferView = z.infer<typeof transferViewSchema>;

/** Nothing is said of a non-fungible token (service interface, Transfer.metadata); client libraries demand the object. */
export const transferView = (transfer: Transfer): TransferView => ({
  ...chainRequestView(transfer),
  requestBody: transfer.requestBody,
  metadata: isFungible(transfer.requestBody.kind) ? transfer.metadata : { asset: {} },
});
