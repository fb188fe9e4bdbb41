import type { PlacesToSearch, SentSearch, SentTransaction } from "./chain.ts";

/** The first of them that is looked for. */
export const firstSent = async (
  sent: Iterable<SentTransaction>,
  { isIt }: Pick<SentSearch, "isIt">,
): Promise<SentTransaction | undefined> => {
  for (const each of sent) if (await isIt(each)) return each;
  return undefined;
};

/** Whether a place may hold what is looked for. */
export const mayHold = ({ lowest, highest, isExplained }: PlacesToSearch, place: bigint): boolean =>
  place >= lowest && (highest === undefined || place <= highest) && !isExplained(place);

/**
 * Whether something that may be it lies above what the chain's blocks have, where nobody sees it. In a place of its own, what is built
 * excludes whatever waits there.
 * @param landed the place behind those in blocks
 * @param next the place behind those that wait, too
 */
export const waitsUnseen = (places: PlacesToSearch, landed: bigint, next: bigint): boolean => {
  if (places.highest !== undefined) return false;
  for (let place = landed > places.lowest ? landed : places.lowest; place < next; place += 1n) {
    if (mayHold(places, place)) return true;
  }
  return false;
};
