import { z } from "zod";
import { requesterViewSchema } from "../requester.ts";
import { CHAIN_REQUEST_STATUSES, type ChainRequest } from "./chain-request.ts";

/**
 * The fields of every request to a chain in the API: the interface's fields and those of wire interface
 * section G.
 */
export const chainRequestViewFields = {
  id: z.string(),
  walletId: z.string(),
  network: z.string(),
  requester: requesterViewSchema,
  status: z.enum(CHAIN_REQUEST_STATUSES),
  reason: z.string().optional(),
  externalId: z.string().optional(),
  approvalId: z.string().optional(),
  /** the transaction that takes this one's place on the chain */
  replacementId: z.string().optional(),
  fee: z.string().optional(),
  txHash: z.string().optional(),
  /**
   * account nonce, gas and fees, the address of a deployed contract, and `madeBy` where the service made the
   * request itself
   */
  details: z.looseObject({}).readonly().optional(),
  dateRequested: z.string(),
  datePolicyResolved: z.string().optional(),
  dateBroadcasted: z.string().optional(),
  dateConfirmed: z.string().optional(),
};
const chainRequestViewSchema = z.object(chainRequestViewFields);
type ChainRequestView = z.infer<typeof chainRequestViewSchema>;

/**
 * Shows the fields that all requests have. The hash is known and stored from the signature on, but shown only
 * from the broadcast on, as the interface says: bytes that were never broadcast are on no chain.
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

/**
 * Marks a request that the service made itself in `details`, the only field whose content the interface
 * leaves open.
 */
const detailsOf = ({ details, isFeeBump, isGathering }: ChainRequest): Pick<ChainRequestView, "details"> => {
  if (isFeeBump || isGathering) return { details: { ...details, madeBy: "service" } };
  return details === undefined ? {} : { details };
};
