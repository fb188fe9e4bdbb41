import type { PartyIndex } from "@conclave/threshold";
import type { Pair } from "./pairs.ts";

/** The peers for which a signer waited when it gave up. */
export interface Vote {
  readonly silent: readonly PartyIndex[];
  /** how far its session had come, see phaseOf of the compute host; 0 when a signer of an older version does not say */
  readonly phase: number;
}

export type Votes = ReadonlyMap<PartyIndex, Vote>;

/** Whether signers gave up, and none of them was waiting for another. */
export const failedAlone = (votes: Votes): boolean =>
  votes.size > 0 && [...votes.values()].every(({ silent }) => silent.length === 0);

/**
 * The pairs that failed, of those who waited and those they waited for. Only the votes of the earliest phase count: who
 * waits in a later one waits for somebody who is itself kept waiting. An honest signer that waits in the earliest phase
 * has not got what every honest signer has sent by then, so each of these pairs has a member that deviates or is cut
 * off. A signer that lies about its phase, or about whom it waits for, is itself a member of the pairs that it names.
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
