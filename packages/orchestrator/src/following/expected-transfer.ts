import type { ChainRequest, FamilyContent } from "@conclave/custody";
import { type Database, readChainRequest } from "@conclave/platform";
import { authorisedOf } from "../chain-requests/authorised.ts";

/**
 * The transfer that must have moved its asset before a request counts as confirmed: the request's own, or that of the
 * original request that it speeds up, directly or through others. Undefined for a caller's own transaction, whose
 * success is the caller's concern.
 */
export const expectedTransfer = async (
  database: Database,
  request: ChainRequest,
): Promise<FamilyContent | undefined> => {
  let asked: ChainRequest | undefined = request;
  while (asked?.kind === "Transaction" && asked.requestBody.kind === "SpeedUpTransaction") {
    asked = asked.replacesId === undefined ? undefined : await readChainRequest(database, asked.replacesId);
  }
  if (asked?.kind !== "Transfer") return undefined;
  const act = authorisedOf(asked);
  return act.kind === "transfer" ? act.transfer : undefined;
};
