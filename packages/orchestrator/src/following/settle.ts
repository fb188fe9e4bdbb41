import { type ChainRequest, type ChainRequestEvent, type ChainRequestId, isoNow } from "@conclave/custody";
import {
  type Connection,
  changeChainRequest,
  type Database,
  lockChainRequest,
  readChainRequest,
} from "@conclave/platform";
import { type Burial, fateNow, isAsItWas, isAtItsEnd, supersededBy } from "../chain-requests/fate.ts";

/** How many replacements of replacements are settled with the one that landed; those beyond are found in their own turns. */
const RIVALS_MAX = 16;

/**
 * Records what became of a request, and in the same transaction that whatever it replaced, or was replaced by, can never land: nobody
 * sees both open, or the one settled and the other not. Requests that moved on since the chain was asked are left alone.
 * @param event that it landed: what holds the same place is asked about before a row is locked
 * @returns whether this call recorded it, and not another orchestrator
 */
export const settle = async (
  work: Burial,
  request: ChainRequest,
  event: ChainRequestEvent,
): Promise<boolean> => {
  const dead = await deadRivals(work, request);
  return work.database.transaction(async (connection) => {
    const current = await lockUnmoved(connection, [request, ...dead]);
    const winner = current.get(request.id);
    if (winner === undefined || !(await changeChainRequest(connection, winner, event)).ok) return false;
    const failed = { kind: "Failed", date: isoNow(work.world), reason: supersededBy(winner) } as const;
    for (const { id } of dead) {
      const rival = current.get(id);
      if (rival !== undefined) await changeChainRequest(connection, rival, failed);
    }
    return true;
  });
};

/** Which requests in the same place the chain excludes now that this one has landed. */
const deadRivals = async (work: Burial, request: ChainRequest): Promise<readonly ChainRequest[]> => {
  const dead: ChainRequest[] = [];
  for (const rival of await rivalsOf(work.database, request)) {
    if (rival.status !== "Broadcasted" || !isAtItsEnd(work.chain, rival)) continue;
    const fate = await fateNow(work, rival);
    if (fate.ok && fate.value.kind === "dead") dead.push(rival);
  }
  return dead;
};

/**
 * Whether another request in the same place has landed and is not settled yet: then this one fails in the transaction that settles that
 * one, and not before it.
 */
export const isLostToLanded = async (work: Burial, request: ChainRequest): Promise<boolean> => {
  for (const { status, txHash } of await rivalsOf(work.database, request)) {
    if (status !== "Broadcasted" || txHash === undefined) continue;
    const sighting = await work.chain.node.sight(txHash);
    if (sighting.ok && sighting.value.kind === "included") return true;
  }
  return false;
};

/** What it replaced, and what that replaced; what replaced it, and what replaced that. */
const rivalsOf = async (
  database: Database,
  { id, replacesId, replacementId }: ChainRequest,
): Promise<readonly ChainRequest[]> => {
  const rivals = new Map<ChainRequestId, ChainRequest>();
  const ids = [replacesId, replacementId].filter((other) => other !== undefined);
  for (const other of ids) {
    if (other === id || rivals.has(other) || rivals.size === RIVALS_MAX) continue;
    const rival = await readChainRequest(database, other);
    if (rival === undefined) continue;
    rivals.set(other, rival);
    ids.push(...[rival.replacesId, rival.replacementId].filter((further) => further !== undefined));
  }
  return [...rivals.values()];
};

/** Locks requests in the order of their ids, so that two orchestrators do not wait for each other. @returns those that did not move */
const lockUnmoved = async (
  connection: Connection,
  requests: readonly ChainRequest[],
): Promise<ReadonlyMap<ChainRequestId, ChainRequest>> => {
  const unmoved = new Map<ChainRequestId, ChainRequest>();
  for (const request of requests.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const current = await lockChainRequest(connection, request.id);
    if (current !== undefined && isAsItWas(current, request)) unmoved.set(request.id, current);
  }
  return unmoved;
};
