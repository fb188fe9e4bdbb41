import type { PartyIndex } from "@conclave/threshold";
import { QUORUM_SEARCH_STEPS_MAX } from "../limits.ts";
import type { Pair } from "../pairs.ts";

type Search = { stepsLeft: number };

const conflictsOf = (signer: PartyIndex, among: readonly PartyIndex[], pairs: readonly Pair[]): number =>
  pairs.filter(([a, b]) => (a === signer && among.includes(b)) || (b === signer && among.includes(a))).length;

/**
 * Searches by branches, as at most one signer of a pair stays: first drops the signer with the most conflicts,
 * otherwise keeps it and drops its opponents.
 */
const branch = (
  signers: readonly PartyIndex[],
  count: number,
  pairs: readonly Pair[],
  search: Search,
): readonly PartyIndex[] | undefined => {
  search.stepsLeft -= 1;
  if (signers.length < count || search.stepsLeft < 0) return undefined;
  const best = signers.slice(0, count);
  const inBest = pairs.filter(([a, b]) => best.includes(a) && best.includes(b));
  if (inBest.length === 0) return best;
  const left = pairs.filter(([a, b]) => signers.includes(a) && signers.includes(b));
  // the sort is stable: of two signers with as many conflicts, the less preferred one goes first
  const [worst] = [...new Set(inBest.flat())]
    .sort((a, b) => signers.indexOf(b) - signers.indexOf(a))
    .sort((a, b) => conflictsOf(b, signers, left) - conflictsOf(a, signers, left));
  const foes = left.filter((pair) => worst !== undefined && pair.includes(worst)).flat();
  return (
    branch(
      signers.filter((signer) => signer !== worst),
      count,
      left,
      search,
    ) ??
    branch(
      signers.filter((signer) => signer === worst || !foes.includes(signer)),
      count,
      left,
      search,
    )
  );
};

/**
 * Chooses `count` of the signers so that no pair is among them. If no such choice exists, or none is found within
 * QUORUM_SEARCH_STEPS_MAX steps, it allows the least bad pairs, as few as needed.
 *
 * @param signers at least `count`, the preferred ones first
 * @param pairs the pairs that are kept apart, the least bad first
 */
export const quorumWithoutPairs = (
  signers: readonly PartyIndex[],
  count: number,
  pairs: readonly Pair[],
): readonly PartyIndex[] => {
  let best: readonly PartyIndex[] = signers.slice(0, count);
  // binary search for the smallest number of pairs to allow
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = branch(signers, count, pairs.slice(middle), { stepsLeft: QUORUM_SEARCH_STEPS_MAX });
    if (found === undefined) low = middle + 1;
    else {
      best = found;
      high = middle;
    }
  }
  return best;
};
