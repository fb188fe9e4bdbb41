import { setImmediate as others } from "node:timers/promises";

/** So long work goes on before others have their turn. */
const TURN_MS = 5;

/** Maps items and joins what comes of each. Others have their turn meanwhile: anybody can fill a block with what takes a second to read. */
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
 * Reads each of many in turns, in their order.
 * @param read gives undefined for what cannot be read; of what follows it nothing is read
 * @returns undefined where one cannot be read
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
