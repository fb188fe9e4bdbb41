import { type ChainRequest, type ChainRequestEvent, type ChainRequestId, isoNow } from "@conclave/custody";
import {
  commitRequests,
  type Database,
  readChainRequest,
  readVersionedRequests,
  type VersionedRequest,
} from "@conclave/platform";
import { notWanted } from "../chain-requests/apply.ts";
import { countGathering } from "../chain-requests/count-gatherings.ts";
import { type Burial, fateNow, isAsItWas, isAtItsEnd, supersededBy } from "../chain-requests/fate.ts";
import { commitAnew } from "../commit-anew.ts";

/**
 * Limit on the replacements, direct and indirect, that are settled with the one that landed; the others are found in
 * their own turns.
 */
const RIVALS_MAX = 16;

/**
 * Records the outcome of a request, and in the same commit that the requests that it replaced, or that replaced it, can
 * never land: no reader sees both open, or one settled and the other not. Requests that changed since the chain was
 * asked are left alone.
 * @param event the landing; the requests in the same place are checked first
 * @returns whether this call recorded it, rather than another orchestrator
 */
export const settle = async (
  work: Burial,
  request: ChainRequest,
  event: ChainRequestEvent,
): Promise<boolean> => {
  const dead = await deadRivals(work, request);
  const failed = { kind: "Failed", date: isoNow(work.world), reason: supersededBy(request) } as const;
  let settled: readonly VersionedRequest[] = [];
  const done = await commitAnew<ReadonlyMap<ChainRequestId, VersionedRequest>, unknown>(undefined, {
    read: () => readUnmoved(work.database, [request, ...dead]),
    commit: async (unmoved) => {
      const winner = unmoved.get(request.id);
      if (winner === undefined) return { kind: "refused", problem: notWanted(request) };
      const rivals = dead.flatMap(({ id }) => unmoved.get(id) ?? []);
      settled = [winner, ...rivals];
      return commitRequests(work.database, [
        { seen: winner, events: [event] },
        ...rivals.map((seen) => ({ seen, events: [failed] })),
      ]);
    },
  });
  if (!done.ok) return false;
  for (const seen of settled) countGathering(work, seen.request, "ended");
  return true;
};

/** The requests in the same place that the chain excludes now that this one has landed. */
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
 * Whether another request in the same place has landed and is not settled yet: then this one fails only in the commit
 * that settles the other.
 */
export const isLostToLanded = async (work: Burial, request: ChainRequest): Promise<boolean> => {
  for (const { status, txHash } of await rivalsOf(work.database, request)) {
    if (status !== "Broadcasted" || txHash === undefined) continue;
    const sighting = await work.chain.node.sight(txHash);
    if (sighting.ok && sighting.value.kind === "included") return true;
  }
  return false;
};

/** Reads the requests that this one replaced, and those that replaced it, directly or through others. */
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

/** Reads requests again. @returns those that have not changed since */
const readUnmoved = async (
  database: Database,
  requests: readonly ChainRequest[],
): Promise<ReadonlyMap<ChainRequestId, VersionedRequest>> => {
  const before = new Map(requests.map((request) => [request.id, request]));
  const current = await readVersionedRequests(database, [...before.keys()]);
  return new Map(
    current.flatMap((seen) => {
      const was = before.get(seen.request.id);
      return was !== undefined && isAsItWas(seen.request, was) ? [[seen.request.id, seen] as const] : [];
    }),
  );
};
