import type { BroadcastOutcome } from "@conclave/chains";
import { isoNow } from "@conclave/custody";
import type { VersionedRequest } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { apply, noteReason } from "./apply.ts";
import { buryRequest, fateOfRequest } from "./fate.ts";
import { again, GO_ON, type Next, type RequestStep, type RequestWork } from "./step.ts";

const REFUSED_MS = 1_000;

/**
 * Sends the stored bytes. Any number of times: after a crash, or when a node did not answer, the very same bytes go
 * out again, and a node that has them already is as good as one that takes them now (INV-4).
 *
 * Once bytes are signed a refusal never fails the request, even for lack of funds: whoever saw the bytes could send
 * them later. It waits, says why, and is sent again.
 */
export const broadcastRequest: RequestStep = async (work, seen) => {
  const { chain } = work;
  const { request } = seen;
  if (request.signedTransaction === undefined) return GO_ON;
  const outcome = await chain.node.broadcast(request.signedTransaction);
  switch (outcome.kind) {
    case "accepted":
      FAULT: reach("transfer.sent");
      await noteBroadcast(work, seen);
      FAULT: reach("transfer.broadcast");
      return GO_ON;
    case "outdated":
    case "refused":
    case "unacceptable":
      return notTaken(work, seen, outcome);
  }
};

/** Says that the very transaction that was sent is out: one that was signed meanwhile, after that one was dead, is still to be sent. */
const noteBroadcast = async ({ database, world }: RequestWork, seen: VersionedRequest): Promise<void> => {
  const event = { kind: "Broadcasted", date: isoNow(world) } as const;
  await apply(database, seen, event, ({ txHash }) => txHash === seen.request.txHash);
};

/**
 * Its place is taken, or its time is over: by this very transaction, sent before a crash, or for good. Not every node's words for
 * that are known here: so what is refused is looked for as well, where the node tells of transactions at all.
 */
const notTaken = async (
  work: RequestWork,
  seen: VersionedRequest,
  { kind, reason }: Exclude<BroadcastOutcome, { readonly kind: "accepted" }>,
): Promise<Next> => {
  const { database, chain, wallet, logger, world } = work;
  const { request } = seen;
  const sighting = await chain.node.sight(request.txHash ?? "");
  if (sighting.ok && sighting.value.kind !== "unknown") {
    await noteBroadcast(work, seen);
    return GO_ON;
  }
  if (!sighting.ok && kind !== "outdated") {
    await noteReason(database, seen, reason);
    return again(REFUSED_MS);
  }
  const fate = await fateOfRequest(chain, wallet.address, request);
  if (!fate.ok) {
    logger.warn({ requestId: request.id, problem: fate.problem }, "nothing tells whether it can still land");
  }
  if (fate.ok && fate.value.kind === "dead") {
    const aftermath = await buryRequest({ database, chain, world }, request, fate.value.reason);
    if (aftermath !== "later") return GO_ON;
  }
  await noteReason(database, seen, reason);
  return again(REFUSED_MS);
};
