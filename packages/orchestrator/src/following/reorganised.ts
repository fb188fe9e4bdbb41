import { type ChainRequest, isoNow } from "@conclave/custody";
import { changeUnmoved, fateNow } from "../chain-requests/fate.ts";
import { settledSentAgain, settlementUndone } from "../log/log-events.ts";
import type { Look, LookWork } from "./look.ts";

/**
 * Takes a request back to Broadcasted when a reorganisation has undone the block that settled it: its own block, or
 * that of the transaction that kept it from landing, after which it may still land.
 */
export const lookAtSettled: Look = async (work, request) => {
  if (request.status !== "Confirmed" && request.status !== "Failed") return;
  if (!(await isUndone(work, request))) return;
  const reorganised = { kind: "Reorganised", date: isoNow(work.world) } as const;
  if (!(await changeUnmoved(work.database, request, reorganised))) return;
  const { id: requestId, status, blockHash } = request;
  settlementUndone(work.logger, { requestId, status, blockHash });
};

const isUndone = async (work: LookWork, request: ChainRequest): Promise<boolean> => {
  const { chain } = work;
  const sighting = await chain.node.sight(request.txHash ?? "");
  if (!sighting.ok) return false;
  const { kind } = sighting.value;
  if (request.blockHash === undefined || request.blockNumber === undefined) {
    if (kind === "included") return true;
    // it may be in the pool of a node that lags behind, which proves nothing
    const fate = await fateNow(work, request);
    return fate.ok && fate.value.kind === "open";
  }
  if (sighting.value.kind === "included" && sighting.value.blockHash === request.blockHash) return false;
  const block = await chain.node.block(request.blockNumber, new Set());
  if (!block.ok) return false;
  if (block.value !== undefined) return block.value.hash !== request.blockHash;
  if (kind === "unknown") await sendOverAgain(work, request);
  return false;
};

/**
 * Broadcasts a settled request's bytes again. A node that knows neither the transaction nor its block lags behind, or
 * restarted from an earlier state. Only another block in the same place shows that the block is undone; until then the
 * same bytes are broadcast again, as later transactions of the wallet would otherwise wait for them for ever (INV-4).
 */
const sendOverAgain: Look = async ({ chain, logger }, request) => {
  if (request.signedTransaction === undefined) return;
  const outcome = await chain.node.broadcast(request.signedTransaction);
  settledSentAgain(logger, { requestId: request.id, outcome });
};
