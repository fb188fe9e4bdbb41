import type { Arrival } from "@conclave/chains";
import {
  type Asset,
  depositDetected,
  depositOf,
  type Paid,
  paidIn,
  type ReadBlock,
  type Watched,
  watchedIn,
  watchedMovementConfirmed,
  watchedMovementOf,
} from "@conclave/custody";
import {
  type Connection,
  insertDeposits,
  insertWatchedMovements,
  moveReadingOn,
  type ReadPlace,
  type Stored,
  storeInTurns,
  walletsAt,
  watchesAt,
} from "@conclave/platform";
import { depositsDetected } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { markRead, type RoundEnd } from "./round-end.ts";

/** Limit on the characters of a node's place name in a log line. */
const PLACE_SHOWN = 100;

/** The watches of the ends of arrivals. */
const watchedAt = async (
  { database, network }: DepositWatch,
  arrivals: readonly Arrival[],
): Promise<readonly Watched[]> => {
  const ends = arrivals.flatMap(({ from, moved: { to } }) => (from === undefined ? [to] : [from, to]));
  return watchedIn(arrivals, await watchesAt(database, network, [...new Set(ends)]));
};

/** Logs an arrival that no record can hold. @param at the wallet or the watch that it concerns */
const reportUnstorable = (
  { network, logger, counted }: DepositWatch,
  height: bigint,
  { place }: Paid["movement"],
  at: { readonly walletId: string } | { readonly addressWatchId: string },
): void => counted.depositUnstorable(logger, { network, height, ...at, place: place.slice(0, PLACE_SHOWN) });

/** Stores deposits and their events. */
const storeDeposits = (
  watch: DepositWatch,
  connection: Connection,
  block: ReadBlock,
  paid: readonly Paid[],
): Promise<Stored> =>
  storeInTurns(connection, paid, {
    rowOf: (each) => {
      const deposit = depositOf(block, each);
      const { walletId } = each.payee;
      if (deposit === undefined) reportUnstorable(watch, block.height, each.movement, { walletId });
      return deposit;
    },
    insert: insertDeposits,
    eventOf: (deposit) => depositDetected(watch.families, deposit, block.seen),
  });

/** Stores movements at watched addresses, and their events. */
const storeWatched = (
  watch: DepositWatch,
  connection: Connection,
  block: ReadBlock,
  watched: readonly Watched[],
): Promise<Stored> =>
  storeInTurns(connection, watched, {
    rowOf: (each) => {
      const movement = watchedMovementOf(block, each);
      const { addressWatchId } = each.watcher;
      if (movement === undefined) reportUnstorable(watch, block.height, each.movement, { addressWatchId });
      return movement;
    },
    insert: insertWatchedMovements,
    eventOf: (movement) => watchedMovementConfirmed(watch.families, movement, block.seen),
  });

/** Makes the record of a block. It looks up what the tokens are that moved. */
const readBlockOf = async (
  { chain, describeTokens, network, now }: DepositWatch,
  height: bigint,
  moves: readonly Arrival["moved"][],
): Promise<ReadBlock> => {
  const { nativeAsset, tokenOf } = chain.family;
  const tokens = new Set(moves.flatMap((moved) => tokenOf?.(moved) ?? []));
  const described = await describeTokens(chain.node, tokens);
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native" ? nativeAsset(network) : (described.get(tokenOf?.(moved) ?? "") ?? {});
  return { network, height, seen: now(), assetOf };
};

/** Logs the stored records of a block, and, once for it, that a contract claims more transfers than become events. */
const report = (
  { network, logger, counted }: DepositWatch,
  height: bigint,
  [deposits, watched]: readonly [Stored, Stored],
): void => {
  depositsDetected(logger, { network, height, deposits: deposits.records, watched: watched.records });
  const unannounced = deposits.unannounced + watched.unannounced;
  if (unannounced > 0) counted.depositsUnannounced(logger, { network, height, unannounced });
};

/**
 * Stores the arrivals of a block at wallets and watched addresses, and their events, in one transaction, with the height,
 * and with the block's hash unless the node has forgotten it: so each movement is detected once (INV-6).
 * @param stands the place of reading in the database
 * @returns the new place; "empty" where no arrival concerns a wallet or a watch here; "unread" where the node does not
 * answer, the chain was rewritten meanwhile, or another reader has moved on meanwhile
 */
export const storeArrivals = async (
  watch: DepositWatch,
  stands: ReadPlace,
  height: bigint,
  end: RoundEnd,
  arrivals: readonly Arrival[],
): Promise<ReadPlace | "empty" | "unread"> => {
  const { chain, database, network } = watch;
  if (arrivals.length === 0) return "empty";
  const payees = await walletsAt(database, network, [...new Set(arrivals.map(({ moved }) => moved.to))]);
  const paid = paidIn(arrivals, payees);
  const watched = await watchedAt(watch, arrivals);
  if (paid.length === 0 && watched.length === 0) return "empty";
  // one node of the network may show the block while another has forgotten it: then it is stored without its hash
  const marks = await markRead(chain.node, stands.marks, height, end);
  if (marks === undefined) return "unread";
  const to = { height, marks };
  const block = await readBlockOf(
    watch,
    height,
    [...paid, ...watched].map(({ movement }) => movement.moved),
  );
  const stored = await database.transaction(async (connection) => {
    if (!(await moveReadingOn(connection, network, stands, to))) return undefined;
    const deposits = await storeDeposits(watch, connection, block, paid);
    return [deposits, await storeWatched(watch, connection, block, watched)] as const;
  });
  if (stored === undefined) return "unread";
  report(watch, height, stored);
  return to;
};
