import { setImmediate as others } from "node:timers/promises";

/** So long work goes on before others have their turn. */
const TURN_MS = 5;

/** Maps items and joins what comes of each. Others have their turn meanwhile: anybody can fill a block with what takes a second to read. */
export const flatMapInTurns = async <T, U>(
  items: readonly T[],
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
