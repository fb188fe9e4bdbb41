import type { ChainRequest, FamilyContent } from "@conclave/custody";
import { type Database, readChainRequest } from "@conclave/platform";
import { authorisedOf } from "../chain-requests/authorised.ts";

/**
 * The transfer that must have moved its asset before a request counts as confirmed: the request's own, or the one that it speeds up, at
 * whatever remove. A caller's transaction does as its caller meant.
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
