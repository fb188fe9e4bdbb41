import type { PartyIndex } from "@conclave/threshold";
import type { Pair } from "./pairs.ts";

/** The peers for which a signer waited when it gave up. */
export interface Vote {
  readonly silent: readonly PartyIndex[];
  /** how far its session had come (`phaseOf` of the compute host); 0 from a signer of an older version */
  readonly phase: number;
}

export type Votes = ReadonlyMap<PartyIndex, Vote>;

/** Whether signers gave up, and none of them waited for another. */
export const failedAlone = (votes: Votes): boolean =>
  votes.size > 0 && [...votes.values()].every(({ silent }) => silent.length === 0);

/**
 * The pairs of a signer that waited and a peer that it waited for. Only the votes of the earliest phase count: a signer
 * that waits in a later phase waits for a peer that is itself kept waiting. An honest signer that waits in the earliest
 * phase lacks a message that every honest signer has sent by then, so each of these pairs has a member that deviates or
 * is cut off. A signer that lies about its phase, or about the peers that it waits for, is itself a member of the pairs
 * that it names.
 */
export const silentPairs = (votes: Votes): readonly Pair[] => {
  const naming = [...votes].filter(([, { silent }]) => silent.length > 0);
  const earliest = Math.min(...naming.map(([, { phase }]) => phase));
  const pairs = naming
    .filter(([, { phase }]) => phase === earliest)
    .flatMap(([voter, { silent }]) =>
      silent.map((peer): Pair => (voter < peer ? [voter, peer] : [peer, voter])),
    );
  return pairs.filter(([a, b], at) => at === pairs.findIndex((pair) => pair[0] === a && pair[1] === b));
};
