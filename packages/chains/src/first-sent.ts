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

/** Places that are looked at one by one. */
const PLACES_MAX = 1_024n;

/**
 * Whether nothing below a place may be it, so that nobody needs to ask what the account has sent. Its listings hold what others sent to it
 * as well: they may have no end, and nodes forget them.
 * @param next the place behind those in blocks
 * @param first the first place that the account ever had
 */
export const isSettledBelow = (places: PlacesToSearch, next: bigint, first = 0n): boolean => {
  const { lowest, highest } = places;
  const from = lowest > first ? lowest : first;
  const end = highest === undefined || highest >= next ? next : highest + 1n;
  if (end - from > PLACES_MAX) return false;
  for (let place = from; place < end; place += 1n) if (mayHold(places, place)) return false;
  return true;
};

/**
 * Whether a transaction that may be it waits above the places in the chain's blocks, where nobody sees it. In a place of its own, the
 * transaction that is built excludes any that waits there.
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
