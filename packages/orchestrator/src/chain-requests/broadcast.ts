import type { ChainRequest } from "@conclave/custody";
import { apply, noteReason } from "./apply.ts";
import { isDisplaced } from "./displaced.ts";
import { again, GO_ON, type Next, now, type RequestWork, type Step } from "./step.ts";

const REFUSED_MS = 1_000;

/**
 * Sends the stored bytes. Any number of times: after a crash, or when a node did not answer, the very same bytes go
 * out again, and a node that has them already is as good as one that takes them now (INV-4).
 *
 * Once bytes are signed a refusal never fails the request, even for lack of funds: whoever saw the bytes could send
 * them later. It waits, says why, and is sent again.
 */
export const broadcast: Step = async (work, request) => {
  const { database, chain } = work;
  if (request.signedTransaction === undefined) return GO_ON;
  const outcome = await chain.broadcast(request.signedTransaction);
  switch (outcome.kind) {
    case "accepted":
      await apply(database, request.id, { kind: "Broadcasted", date: now() });
      return GO_ON;
    case "nonce-spent":
      return nonceSpent(work, request);
    case "refused":
      await noteReason(database, request, outcome.reason);
      return again(REFUSED_MS);
  }
};

/** By this very transaction, sent before a crash; or by another one. */
const nonceSpent = async ({ database, chain, wallet }: RequestWork, request: ChainRequest): Promise<Next> => {
  const sighting = await chain.sight(request.txHash ?? "");
  if (sighting.ok && sighting.value.kind !== "unknown") {
    await apply(database, request.id, { kind: "Broadcasted", date: now() });
    return GO_ON;
  }
  const displaced = await isDisplaced(database, chain, wallet.address, request);
  if (displaced !== undefined) {
    await apply(database, request.id, { kind: "Failed", date: now(), reason: displaced });
    return GO_ON;
  }
  await noteReason(database, request, "the account nonce is used up; waiting for the chain to settle it");
  return again(REFUSED_MS);
};
