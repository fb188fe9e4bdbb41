import { setImmediate as others } from "node:timers/promises";

/** Work goes on for this long before other tasks of the event loop get their turn. */
const TURN_MS = 5;

/** When other tasks of the event loop get their turn: in a process by real time; a simulated world gives none, which real time would place. */
export interface ReadingTurns {
  readonly nowMs: () => number;
  readonly others: () => Promise<unknown>;
}

/** The turns of a process. */
export const PROCESS_TURNS: ReadingTurns = { nowMs: () => performance.now(), others: () => others() };

/**
 * Maps items and concatenates the results. Other tasks get their turn meanwhile, because anyone can fill a block that
 * takes a second to read.
 */
export const flatMapInTurns = async <T, U>(
  items: Iterable<T>,
  map: (item: T) => readonly U[],
  turns: ReadingTurns = PROCESS_TURNS,
): Promise<readonly U[]> => {
  const all: U[] = [];
  let turnMs = turns.nowMs();
  for (const item of items) {
    all.push(...map(item));
    if (turns.nowMs() - turnMs < TURN_MS) continue;
    await turns.others();
    turnMs = turns.nowMs();
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
