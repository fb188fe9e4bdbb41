import type { FamilyRegistry } from "@conclave/chains";
import type { ChainRequest } from "@conclave/custody";
import { type DueRequest, dueChainRequest } from "@conclave/platform";

/**
 * The due row of an authorised request. Where the chain counts the transactions of an account, those of a wallet are
 * carried out one after another (decisions/018); a replacement takes the place of another request, and waits for none.
 */
export const dueRequestOf = (families: FamilyRegistry, request: ChainRequest): DueRequest => {
  const isInLine = request.replacesId === undefined && families.familyOf(request.network).countsTransactions;
  return dueChainRequest(request, isInLine ? request.walletId : undefined);
};
