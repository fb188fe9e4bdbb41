import { setImmediate as others } from "node:timers/promises";

/** Work goes on for this long before other tasks of the event loop get their turn. */
const TURN_MS = 5;

/**
 * Maps items and concatenates the results. Other tasks get their turn meanwhile, because anyone can fill a block that
 * takes a second to read.
 */
export const flatMapInTurns = async <T, U>(
  items: Iterable<T>,
  map: (item: T) => readonly U[],
): Promise<readonly U[]> => {
  const all: U[] = [];
  let turnMs = performance.now();
  for (const item of items) {
    all.push(...map(item));
    if (performance.now() - turnMs < TURN_MS) continue;
    await others();
    turnMs = performance.now();
  }
  return all;
};

/**
 * Reads many items in turns, in their order.
 *
 * @param read returns undefined for an unreadable item; no later item is read then
 * @returns undefined if an item cannot be read
 */
export const readInTurns = async <T, U>(
  items: Iterable<T>,
  read: (item: T) => U | undefined,
): Promise<readonly U[] | undefined> => {
  let isRead = true;
  const all = await flatMapInTurns(items, (item) => {
    const found = isRead ? read(item) : undefined;
    isRead &&= found !== undefined;
    return found === undefined ? [] : [found];
  });
  return isRead ? all : undefined;
};
