import { CHAIN_REQUEST_STATUSES } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

/**
 * The fields that the Transfer and the Transaction of the interface share, with the additions of wire
 * interface section G.
 */
export const chainRequestFields = {
  id: z.string(),
  walletId: z.string(),
  network: z.string(),
  requester: z.object({
    userId: z.string(),
    tokenId: z.string().optional(),
    appId: z.string().optional(),
  }),
  status: z.enum(CHAIN_REQUEST_STATUSES),
  reason: z.string().optional(),
  externalId: z.string().optional(),
  approvalId: z.string().optional(),
  /** the transaction that takes this one's place on the chain */
  replacementId: z.string().optional(),
  fee: z.string().optional(),
  txHash: z.string().optional(),
  /** account nonce, gas and fees, the address of a contract that is deployed, and who made it if that was the service by itself */
  details: z.looseObject({}).readonly().optional(),
  dateRequested: z.string(),
  datePolicyResolved: z.string().optional(),
  dateBroadcasted: z.string().optional(),
  dateConfirmed: z.string().optional(),
};
