import type { Arrival } from "@conclave/chains";
import { storableMovement, type WatchedMovement, watchedMovementConfirmed } from "@conclave/custody";
import { type Connection, insertWatchedMovements, type Watcher, watchesAt } from "@conclave/platform";
import { areAnnounced } from "./claimed-movements.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { type ReadBlock, reportUnstorable } from "./read-block.ts";
import { type Stored, storeInTurns } from "./store-in-turns.ts";

/** A movement, and a watch of the address at one of its ends. */
export interface Watched {
  readonly arrival: Arrival;
  readonly watcher: Watcher;
  readonly direction: WatchedMovement["direction"];
  /** whether it gets an event */
  readonly isAnnounced: boolean;
}

/** Pairs movements with the watches of their ends. One from a watched address to itself is both: out and in. */
export const watchedIn = async (
  { database, network }: Pick<DepositWatch, "database" | "network">,
  arrivals: readonly Arrival[],
): Promise<readonly Watched[]> => {
  const ends = new Set(
    arrivals.flatMap(({ from, moved: { to } }) => (from === undefined ? [to] : [from, to])),
  );
  const at = new Map<string, Watcher[]>();
  for (const watcher of await watchesAt(database, network, [...ends])) {
    at.set(watcher.address, [...(at.get(watcher.address) ?? []), watcher]);
  }
  const touching = (arrival: Arrival, direction: Watched["direction"], end: string | undefined) =>
    (end === undefined ? [] : (at.get(end) ?? [])).map((watcher) => ({ arrival, watcher, direction }));
  const watched = arrivals.flatMap((arrival) => [
    ...touching(arrival, "Out", arrival.from),
    ...touching(arrival, "In", arrival.moved.to),
  ]);
  const announced = areAnnounced(
    watched.map(({ arrival: { moved }, watcher: { addressWatchId }, direction }) => ({
      moved,
      at: `${addressWatchId} ${direction}`,
    })),
  );
  return watched.map((each, nth) => ({ ...each, isAnnounced: announced[nth] ?? true }));
};

/** A movement to store. */
interface NewMovement extends Omit<WatchedMovement, "id"> {
  readonly isAnnounced: boolean;
}

/** @returns undefined for a movement that no record can hold, which it logs */
const movementOf = (
  watch: DepositWatch,
  { height, assetOf, seen }: ReadBlock,
  { arrival, watcher: { addressWatchId, orgId }, direction, isAnnounced }: Watched,
): NewMovement | undefined => {
  const movement = storableMovement({
    ...arrival,
    addressWatchId,
    orgId,
    network: watch.network,
    direction,
    asset: assetOf(arrival.moved),
    blockNumber: height,
    date: arrival.date ?? seen,
  });
  if (movement === undefined) reportUnstorable(watch, height, arrival, { addressWatchId });
  return movement && { ...movement, isAnnounced };
};

/** Stores the movements of a block at watched addresses, and their events. */
export const storeWatched = (
  watch: DepositWatch,
  connection: Connection,
  block: ReadBlock,
  watched: readonly Watched[],
): Promise<Stored> =>
  storeInTurns(connection, watched, {
    rowOf: (each) => movementOf(watch, block, each),
    insert: insertWatchedMovements,
    eventOf: (movement) => watchedMovementConfirmed(watch.families, movement, block.seen),
  });
