import type { PlacesToSearch, SentSearch, SentTransaction } from "./chain.ts";

/** The first transaction that is the wanted one. */
export const firstSent = async (
  sent: Iterable<SentTransaction>,
  { isIt }: Pick<SentSearch, "isIt">,
): Promise<SentTransaction | undefined> => {
  for (const each of sent) if (await isIt(each)) return each;
  return undefined;
};

/** Whether a place may hold the wanted transaction. */
export const mayHold = ({ lowest, highest, isExplained }: PlacesToSearch, place: bigint): boolean =>
  place >= lowest && (highest === undefined || place <= highest) && !isExplained(place);

/** Most places that are examined one by one. */
const PLACES_MAX = 1_024n;

/**
 * Whether no place below `next` can hold the wanted transaction, so that the search need not list the account's transactions.
 * Such lists include transactions from others, may have no end, and nodes prune them.
 * @param next the place after those in blocks
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
 * Whether the wanted transaction may be waiting in a place above those in blocks, where the search cannot see it. With only one
 * place to search it does not matter: the new transaction takes that place, and so excludes any that waits there.
 * @param landed the place after those in blocks
 * @param next the place after those that wait as well
 */
export const waitsUnseen = (places: PlacesToSearch, landed: bigint, next: bigint): boolean => {
  if (places.highest !== undefined) return false;
  for (let place = landed > places.lowest ? landed : places.lowest; place < next; place += 1n) {
    if (mayHold(places, place)) return true;
  }
  return false;
};
