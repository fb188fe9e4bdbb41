import { type BroadcastOutcome, replacesTransactions } from "@conclave/chains";
import { type ChainRequest, isoNow, isRefusedForGood, reasonWords } from "@conclave/custody";
import type { VersionedRequest } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { fateUnknown, requestBroadcast } from "../log/log-events.ts";
import { apply, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { buryRequest, fateOfRequest, takeOverTwin } from "./fate.ts";
import type { ServedChain } from "./served-chain.ts";
import { again, GO_ON, goOnFrom, type Next, type RequestStep, type RequestWork } from "./step.ts";

const REFUSED_MS = 1_000;

type Refusal = Exclude<BroadcastOutcome, { readonly kind: "accepted" }>;

/**
 * Sends the stored bytes, any number of times: after a crash, or when a node did not answer, the very same bytes are
 * sent again. A node that already has them counts as one that accepts them now (INV-4).
 *
 * Once bytes are signed, a refusal never fails the request, even for lack of funds: anybody who saw the bytes could
 * send them later. The request waits with the reason, and is sent again.
 */
export const broadcastRequest: RequestStep = async (work, seen) => {
  const { chain } = work;
  const { request } = seen;
  if (request.signedTransaction === undefined) return GO_ON;
  const outcome = await chain.node.broadcast(request.signedTransaction);
  switch (outcome.kind) {
    case "accepted": {
      FAULT: reach("transfer.sent");
      const next = await noteBroadcast(work, seen);
      FAULT: reach("transfer.broadcast");
      return next;
    }
    case "outdated":
    case "refused":
    case "unacceptable":
      return notTaken(work, seen, outcome);
  }
};

/**
 * Records that this transaction was broadcast. If the row meanwhile has another one, signed after this one was dead,
 * that one is still to be sent.
 */
const noteBroadcast = async (
  { database, logger, world }: RequestWork,
  seen: VersionedRequest,
): Promise<Next> => {
  const event = { kind: "Broadcasted", date: isoNow(world) } as const;
  const noted = await apply(database, seen, event, ({ txHash }) => txHash === seen.request.txHash);
  if (!noted.ok) return GO_ON;
  requestBroadcast(logger, { requestId: seen.request.id, txHash: seen.request.txHash });
  return goOnFrom(noted.value);
};

/**
 * Handles a refusal that may mean that the transaction's place is taken, perhaps by this very transaction, sent before
 * a crash, or that its deadline has passed. As not every node's message for that is known, the orchestrator looks any
 * refused transaction up, where the node can show transactions.
 */
const notTaken = async (work: RequestWork, seen: VersionedRequest, outcome: Refusal): Promise<Next> => {
  const { chain, wallet, logger } = work;
  const { request } = seen;
  const sighting = await chain.node.sight(request.txHash ?? "");
  if (sighting.ok && sighting.value.kind !== "unknown") return noteBroadcast(work, seen);
  const noted = await noteRefusal(work, seen, outcome);
  if (!sighting.ok && outcome.kind !== "outdated") return again(REFUSED_MS);
  const fate = await fateOfRequest(chain, wallet.address, request);
  if (!fate.ok) {
    fateUnknown(logger, { requestId: request.id, problem: fate.problem });
  }
  if (fate.ok && fate.value.kind === "open" && outcome.kind === "outdated") {
    const twin = await takeOverTwin(work, noted);
    if (twin.ok && twin.value) return GO_ON;
  }
  if (fate.ok && fate.value.kind === "dead") {
    const aftermath = await buryRequest(work, noted, fate.value.reason);
    if (aftermath !== "later") return GO_ON;
  }
  return again(REFUSED_MS);
};

/** Records why the node refuses the bytes. @returns the request after that */
const noteRefusal = async (
  { database, chain }: RequestWork,
  seen: VersionedRequest,
  outcome: Refusal,
): Promise<ChainRequest> => {
  const { request } = seen;
  if (outcome.kind !== "unacceptable") {
    // some nodes give the reason of a refusal once, and call the same bytes a duplicate afterwards
    if (isRefusedForGood(request)) return request;
    await noteReason(database, seen, outcome.reason);
    return request;
  }
  const words = reasonWords(`${outcome.reason}; ${wayOut(chain, request, outcome.byFee === true)}`);
  if (request.reason === words && isRefusedForGood(request)) return request;
  const noted = await apply(database, seen, { kind: "RefusedForGood", reason: words });
  return noted.ok ? noted.value.request : request;
};

/**
 * The act by which the owner can free the wallet from a transaction that no node with these rules accepts (`ACTS_BY_STAGE`).
 * @param isByFee whether nodes would accept it with a higher fee
 */
const wayOut = ({ family }: ServedChain, request: ChainRequest, isByFee: boolean): string => {
  if (!replacesTransactions(family)) return "it fails once its time is over";
  if (request.requestBody.kind === "CancelTransaction") return "cancel it again to free the wallet";
  const { sequence, signedTransaction: signed } = request;
  const canSpeedUp =
    isByFee &&
    signed !== undefined &&
    family.replacements.speedUp({ act: authorisedOf(request), sequence, signed }).ok;
  return `${canSpeedUp ? "speed it up or cancel" : "cancel"} it to free the wallet`;
};
