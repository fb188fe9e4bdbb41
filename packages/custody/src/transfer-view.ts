import type { Asset } from "./network.ts";
import type { Requester } from "./requester.ts";
import type { TransferBody } from "./requests.ts";
import type { Transfer, TransferStatus } from "./transfer.ts";

/** The Transfer that the API answers: the interface's fields and the additions of wire interface section G. */
export interface TransferView {
  readonly id: string;
  readonly walletId: string;
  readonly network: string;
  readonly requester: Requester;
  readonly requestBody: TransferBody;
  readonly metadata: { readonly asset: Asset };
  readonly status: TransferStatus;
  readonly reason?: string;
  readonly externalId?: string;
  readonly fee?: string;
  readonly txHash?: string;
  readonly dateRequested: string;
  readonly datePolicyResolved?: string;
  readonly dateBroadcasted?: string;
  readonly dateConfirmed?: string;
}

/**
 * Shows a transfer. The hash is shown from the broadcast on, as the interface says, although it is known (and
 * stored) since the signature: bytes that were never sent have no place on a chain.
 */
export const transferView = (transfer: Transfer): TransferView => ({
  id: transfer.id,
  walletId: transfer.walletId,
  network: transfer.network,
  requester: transfer.requester,
  requestBody: transfer.requestBody,
  metadata: transfer.metadata,
  status: transfer.status,
  ...(transfer.reason === undefined ? {} : { reason: transfer.reason }),
  ...(transfer.externalId === undefined ? {} : { externalId: transfer.externalId }),
  ...(transfer.fee === undefined ? {} : { fee: transfer.fee }),
  ...(transfer.txHash === undefined || transfer.dateBroadcasted === undefined
    ? {}
    : { txHash: transfer.txHash }),
  dateRequested: transfer.dateRequested,
  ...(transfer.datePolicyResolved === undefined ? {} : { datePolicyResolved: transfer.datePolicyResolved }),
  ...(transfer.dateBroadcasted === undefined ? {} : { dateBroadcasted: transfer.dateBroadcasted }),
  ...(transfer.dateConfirmed === undefined ? {} : { dateConfirmed: transfer.dateConfirmed }),
});
