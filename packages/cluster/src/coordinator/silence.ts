import type { PartyIndex } from "@conclave/threshold";

/** Whom each signer was waiting for when it gave up. */
export type Votes = ReadonlyMap<PartyIndex, readonly PartyIndex[]>;

/**
 * The peers that most signers were waiting for. A signer that is cut off from all names all, and all name it, so it
 * has the most votes. When several have the most votes, all of them are named.
 */
export const mostNamed = (votes: Votes): readonly PartyIndex[] => {
  const counts = new Map<PartyIndex, number>();
  for (const peer of [...votes.values()].flat()) counts.set(peer, (counts.get(peer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count === most).map(([peer]) => peer);
};
