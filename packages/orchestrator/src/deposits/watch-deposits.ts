import {
  beginReading,
  followedSince,
  lastReadBlock,
  moveReadingOn,
  type ReadPlace,
} from "@conclave/platform";
import {
  beginForgotten,
  beginLongAgo,
  beginUndated,
  emptyTimePassed,
  otherChainServed,
} from "../log/deposit-events.ts";
import { type DepositWatch, OUT_OF_REACH_BLOCKS } from "./deposit-watch.ts";
import { judgeAbsent, passOverTooLarge } from "./pass-over.ts";
import { readSoFar } from "./read-so-far.ts";
import { markRead, type RoundEnd } from "./round-end.ts";
import { BLOCKS_A_ROUND, takeInFrom } from "./take-in.ts";
import { endOfEmptyTime, type Unread, whereReadingBegins } from "./where-reading-begins.ts";

/** The log event for each reason why blocks since the creation of the oldest wallet are not read. */
const UNREAD: Readonly<Record<Unread, typeof beginForgotten>> = {
  forgotten: beginForgotten,
  undated: beginUndated,
  "long ago": beginLongAgo,
};
/** Pauses between two rounds: at the head, behind it, and while no wallet can be paid. */
const AT_THE_HEAD_MS = 2_000;
const BEHIND_MS = 0;
const WITHOUT_WALLETS_MS = 5_000;
/** Pause when the node is of another chain: only an operator can fix it, so one log line a minute is enough. */
const OTHER_CHAIN_MS = 60_000;

/**
 * Stores how far reading has come, with the hash of the last block, unless the node has forgotten that one.
 * @returns false if another reader has moved on meanwhile, the chain was rewritten meanwhile, or the node does not
 * answer: then the blocks are read again
 */
const note = async (
  { chain, database, memory, network }: DepositWatch,
  stands: ReadPlace,
  read: bigint,
  end: RoundEnd | undefined,
): Promise<boolean> => {
  const marks = await markRead(chain.node, stands.marks, read, end);
  if (marks === undefined) return false;
  memory.held = marks[0]?.hash;
  return moveReadingOn(database, network, stands, { height: read, marks });
};

/** Logs which blocks are not read because the node has forgotten them. */
const reportForgotten = ({ counted, logger, network }: DepositWatch, blocks: readonly bigint[]): void => {
  const [from, to] = [blocks.at(0), blocks.at(-1)];
  if (blocks.length > 0) counted.blocksForgotten(logger, { network, from, to, blocks: blocks.length });
};

/**
 * Reads blocks up to the final one, at most BLOCKS_A_ROUND, and stores the progress once, so that a chain with frequent
 * blocks costs the database no more than one with rare ones.
 * @returns the last block that was read
 */
const readOn = async (watch: DepositWatch, from: ReadPlace, finalHeight: bigint): Promise<bigint> => {
  const { stands, read, end, outcome, forgotten } = await takeInFrom(watch, from, finalHeight);
  const { verdict } = watch.memory;
  if (read > from.height && (await note(watch, stands, read, end))) reportForgotten(watch, forgotten);
  const isFar = finalHeight - read > OUT_OF_REACH_BLOCKS;
  if (isFar && outcome === "absent") await judgeAbsent(watch, read + 1n, finalHeight);
  else if (!isFar || outcome !== "too large") verdict.falls();
  else if (verdict.stands(`too large ${read + 1n}`, watch.monotonicMs())) {
    await passOverTooLarge(watch, read + 1n, finalHeight);
  }
  return read;
};

/**
 * Checks that the node is of the network's own chain: arrivals on another chain are no deposits here.
 * @returns the pause before the next check, in milliseconds; undefined when the chain is right
 */
const pauseOfOtherChain = async ({
  chain: { family, node },
  network,
  logger,
}: DepositWatch): Promise<number | undefined> => {
  const found = await node.ofChain();
  if (!found.ok) return AT_THE_HEAD_MS;
  if (found.value === family.chainOf(node.network)) return undefined;
  otherChainServed(logger, { network, chain: found.value });
  return OTHER_CHAIN_MS;
};

/**
 * Whether the node has reported for minutes that it has forgotten a block; the first block that it shows comes after
 * that one.
 */
const isForgotten = async (
  { chain, memory, monotonicMs }: DepositWatch,
  height: bigint,
): Promise<boolean> => {
  const { lookBack, verdict } = memory;
  const found = await chain.node.block(height, new Set());
  if (found.ok && found.value === undefined) return verdict.stands(`first look ${height}`, monotonicMs());
  verdict.falls();
  if (found.ok) lookBack.forget();
  return false;
};

/** Decides where reading begins. @returns the last block that counts as read; undefined while the node does not answer */
const begin = async (watch: DepositWatch, finalHeight: bigint): Promise<ReadPlace | undefined> => {
  const { chain, database, memory, network, now, logger } = watch;
  const oldest = await followedSince(database, network);
  const found = await whereReadingBegins(chain.node, finalHeight, oldest, now(), memory.lookBack);
  if (!found.ok) return undefined;
  const { height, unread } = found.value;
  if (unread === "forgotten" && !(await isForgotten(watch, height))) return undefined;
  if (unread !== undefined) UNREAD[unread](logger, { network, from: height, oldestWallet: oldest });
  const marks = await markRead(chain.node, [], height);
  if (marks === undefined) return undefined;
  await beginReading(database, network, { height, marks });
  return lastReadBlock(database, network);
};

/**
 * Moves reading forward to the first block in which somebody could pay the oldest wallet, where reading stopped earlier because there was no
 * wallet. The blocks between hold no deposits, and reading them would delay new ones.
 */
const passEmptyTimes = async (
  { chain, database, network, memory, logger }: DepositWatch,
  last: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace> => {
  if (finalHeight - last.height <= OUT_OF_REACH_BLOCKS) return last;
  const oldest = await followedSince(database, network);
  if (oldest === undefined) return last;
  const found = await endOfEmptyTime(chain.node, finalHeight, oldest, memory.lookBack);
  if (!found.ok || found.value === undefined || found.value <= last.height) return last;
  const to = { height: found.value, marks: last.marks };
  if (!(await moveReadingOn(database, network, last, to))) return last;
  emptyTimePassed(logger, { network, from: last.height, to: to.height });
  return to;
};

/**
 * One round of watching a network: reads final blocks, in order, for deposits to wallets. The node is not queried
 * before a wallet can be paid.
 * @returns the pause until the next round, in milliseconds
 */
export const watchDeposits = async (watch: DepositWatch): Promise<number> => {
  const { chain, database, network } = watch;
  if (chain.node.arrivals === undefined || !(await watch.isUsed())) return WITHOUT_WALLETS_MS;
  const head = await chain.node.head();
  if (!head.ok) return AT_THE_HEAD_MS;
  const { finalHeight } = head.value;
  const known = await lastReadBlock(database, network);
  // skipped where nothing is to be read, as public nodes count calls
  const pauseMs = known?.height === finalHeight ? undefined : await pauseOfOtherChain(watch);
  if (pauseMs !== undefined) return pauseMs;
  const last = known ? await passEmptyTimes(watch, known, finalHeight) : await begin(watch, finalHeight);
  if (last === undefined) return AT_THE_HEAD_MS;
  const from = await readSoFar(watch, last, finalHeight);
  if (from === undefined) return AT_THE_HEAD_MS;
  const read = await readOn(watch, from, finalHeight);
  watch.unread(read < finalHeight ? Number(finalHeight - read) : 0);
  return read - from.height === BLOCKS_A_ROUND ? BEHIND_MS : AT_THE_HEAD_MS;
};
