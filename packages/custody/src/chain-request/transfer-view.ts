import type { Asset } from "../network.ts";
import type { Transfer } from "./chain-request.ts";
import { type ChainRequestView, chainRequestView } from "./request-view.ts";
import type { TransferBody } from "./transfer-body.ts";

/** The Transfer that the API answers. */
export interface TransferView extends ChainRequestView {
  readonly requestBody: TransferBody;
  readonly metadata: { readonly asset: Asset };
}

/** Shows a transfer. */
export const transferView = (transfer: Transfer): TransferView => ({
  ...chainRequestView(transfer),
  requestBody: transfer.requestBody,
  metadata: transfer.metadata,
});
