import type { Requester } from "../requester.ts";
import type { ChainRequest, ChainRequestStatus, TransactionDetails } from "./chain-request.ts";

/**
 * The fields of every request to a chain in the API: the interface's fields and those of wire interface
 * section G.
 */
export interface ChainRequestView {
  readonly id: string;
  readonly walletId: string;
  readonly network: string;
  readonly requester: Requester;
  readonly status: ChainRequestStatus;
  readonly reason?: string;
  readonly externalId?: string;
  readonly approvalId?: string;
  readonly replacementId?: string;
  readonly fee?: string;
  readonly txHash?: string;
  readonly details?: TransactionDetails;
  readonly dateRequested: string;
  readonly datePolicyResolved?: string;
  readonly dateBroadcasted?: string;
  readonly dateConfirmed?: string;
}

/**
 * Shows what requests have in common. The hash is shown from the broadcast on, as the interface says, although it is
 * known (and stored) since the signature: bytes that were never sent have no place on a chain.
 */
export const chainRequestView = (request: ChainRequest): ChainRequestView => ({
  id: request.id,
  walletId: request.walletId,
  network: request.network,
  requester: request.requester,
  status: request.status,
  ...(request.reason === undefined ? {} : { reason: request.reason }),
  ...(request.externalId === undefined ? {} : { externalId: request.externalId }),
  ...(request.approvalId === undefined ? {} : { approvalId: request.approvalId }),
  ...(request.replacementId === undefined ? {} : { replacementId: request.replacementId }),
  ...(request.fee === undefined ? {} : { fee: request.fee }),
  ...(request.txHash === undefined || request.dateBroadcasted === undefined
    ? {}
    : { txHash: request.txHash }),
  ...detailsOf(request),
  dateRequested: request.dateRequested,
  ...(request.datePolicyResolved === undefined ? {} : { datePolicyResolved: request.datePolicyResolved }),
  ...(request.dateBroadcasted === undefined ? {} : { dateBroadcasted: request.dateBroadcasted }),
  ...(request.dateConfirmed === undefined ? {} : { dateConfirmed: request.dateConfirmed }),
});

/** A request that the service made by itself is marked in the one member whose content is the chain's and ours. */
const detailsOf = ({ details, isFeeBump, isGathering }: ChainRequest): Pick<ChainRequestView, "details"> => {
  if (isFeeBump || isGathering) return { details: { ...details, madeBy: "service" } };
  return details === undefined ? {} : { details };
};
