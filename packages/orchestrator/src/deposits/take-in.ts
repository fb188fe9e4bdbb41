import type { AreOurs, Arrival } from "@conclave/chains";
import type { Result } from "@conclave/custody";
import { hasAddressWatches, type ReadPlace, walletsAt, watchesAt } from "@conclave/platform";
import { arrivalsUnread } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { isFollowedBy } from "./held-marks.ts";
import { type RoundEnd, roundEndAt } from "./round-end.ts";
import { storeArrivals } from "./store-arrivals.ts";

/** Blocks read in one round; the next round follows at once. */
export const BLOCKS_A_ROUND = 50n;
/** Blocks that are requested at the same time, where several are to be read. */
const BLOCKS_AT_ONCE = 4n;

/** The arrivals that a node shows in a block; undefined for a network whose deposits are not read. */
type ShownArrivals = Result<readonly Arrival[] | undefined> | undefined;

/** The questions about a block's addresses. */
interface Ours {
  readonly areOurs: AreOurs;
  /** absent where nobody watches an address */
  readonly arePayers?: AreOurs;
}

/**
 * The questions about the addresses of a round's blocks. A watch that is created during the round is of no concern: its
 * movements come in later blocks than those that were final when the round began.
 */
const oursOf = async ({ database, network }: DepositWatch): Promise<Ours> => {
  const wallets: AreOurs = async (addresses) => {
    const payees = addresses.length === 0 ? [] : await walletsAt(database, network, addresses);
    return new Set(payees.map(({ address }) => address));
  };
  if (!(await hasAddressWatches(database, network))) return { areOurs: wallets };
  const watched: AreOurs = async (addresses) => {
    const watchers = addresses.length === 0 ? [] : await watchesAt(database, network, addresses);
    return new Set(watchers.map(({ address }) => address));
  };
  const areOurs: AreOurs = async (addresses) =>
    new Set([...(await wallets(addresses)), ...(await watched(addresses))]);
  return { areOurs, arePayers: watched };
};

/**
 * Requests a block's arrivals. A family may look up the block's addresses in several calls, and skip addresses that it
 * looked up before.
 */
const askFor = async (
  { chain }: DepositWatch,
  height: bigint,
  { areOurs, arePayers }: Ours,
): Promise<ShownArrivals> => chain.node.arrivals?.(height, areOurs, arePayers);

/**
 * The outcome of a block: "stored" with its deposits; "empty", without any of ours; "forgotten" where the node has also
 * forgotten newer ones; "absent" where it has no such block; "too large" where its answers exceed the limits; "unread"
 * where it does not answer or another reader has stored the block.
 */
type BlockOutcome = "stored" | "empty" | "forgotten" | "absent" | "too large" | "unread";

/**
 * Takes in a block's arrivals. A block without any is not stored by itself: after a crash it is read again.
 * @param stands the place of reading in the database
 * @returns the outcome of the block, and the place of reading once it is stored
 */
const takeIn = async (
  watch: DepositWatch,
  stands: ReadPlace,
  height: bigint,
  { finalHeight, end }: { readonly finalHeight: bigint; readonly end: RoundEnd },
  arrivals: ShownArrivals,
): Promise<ReadPlace | Exclude<BlockOutcome, "stored">> => {
  const { chain, logger, memory, network } = watch;
  if (arrivals === undefined) return "unread";
  if (!arrivals.ok) {
    arrivalsUnread(logger, { network, height, problem: arrivals.problem });
    return arrivals.problem.code === "BlockTooLarge" ? "too large" : "unread";
  }
  if (arrivals.value === undefined) {
    const { node } = chain;
    if (node.arrivals === undefined) return "absent";
    return (await memory.forgotten.isOne(node.arrivals, height, finalHeight)) ? "forgotten" : "absent";
  }
  return storeArrivals(watch, stands, height, end, arrivals.value);
};

const isTakenIn = (outcome: BlockOutcome): boolean =>
  outcome === "empty" || outcome === "stored" || outcome === "forgotten";

/** How far blocks were taken in. */
interface TakenIn {
  /** the place of reading in the database */
  readonly stands: ReadPlace;
  /** the last block that was taken in */
  readonly read: bigint;
  /** undefined where none was read */
  readonly end?: RoundEnd;
  /** the outcome of the next block; of the last one where all were taken in */
  readonly outcome: BlockOutcome;
  /** those of the blocks taken in that the node has forgotten */
  readonly forgotten: readonly bigint[];
}

/**
 * Returns the last block of a round; undefined where the node does not show it, or its chain does not continue from the
 * place.
 */
const endOfRound = async (
  { chain: { node } }: DepositWatch,
  place: ReadPlace,
  last: bigint,
): Promise<RoundEnd | undefined> => {
  const first = place.height + 1n;
  const next = await node.block(first, new Set());
  if (!next.ok || !(await isFollowedBy(node, place, next.value))) return undefined;
  return first === last ? { height: last, hash: next.value?.hash } : roundEndAt(node, last);
};

/**
 * Takes in blocks from a place on, until one cannot be taken in, at most BLOCKS_A_ROUND. Once the node has shown the
 * first one, later ones are requested in advance: one request after another may take longer than the chain makes
 * blocks.
 */
export const takeInFrom = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<TakenIn> => {
  const from = place.height;
  const last = finalHeight - from < BLOCKS_A_ROUND ? finalHeight : from + BLOCKS_A_ROUND;
  const asked: Promise<ShownArrivals>[] = [];
  const nothing: TakenIn = { stands: place, read: from, outcome: "empty", forgotten: [] };
  if (last <= from) return nothing;
  const end = await endOfRound(watch, place, last);
  if (end === undefined) return { ...nothing, outcome: "unread" };
  const ours = await oursOf(watch);
  let taken: TakenIn = { ...nothing, end };
  try {
    while (taken.read < last) {
      const atOnce = taken.read === from ? 1n : BLOCKS_AT_ONCE;
      while (asked.length < atOnce && taken.read + BigInt(asked.length) < last) {
        const shown = askFor(watch, taken.read + BigInt(asked.length) + 1n, ours);
        // its failure is handled at its turn; until then there may be no waiter
        shown.catch(() => undefined);
        asked.push(shown);
      }
      const shown = await asked.shift();
      const { stands, read, forgotten } = taken;
      const height = read + 1n;
      const became = await takeIn(watch, stands, height, { finalHeight, end }, shown);
      const outcome = typeof became === "string" ? became : "stored";
      if (!isTakenIn(outcome)) return { ...taken, outcome };
      taken = {
        end,
        stands: typeof became === "string" ? stands : became,
        read: height,
        outcome,
        forgotten: outcome === "forgotten" ? [...forgotten, height] : forgotten,
      };
    }
    return taken;
  } finally {
    await Promise.allSettled(asked);
  }
};
