import {
  beginReading,
  lastReadBlock,
  moveReadingOn,
  oldestWalletOn,
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

/** Why blocks are not read that were made since the oldest wallet was, for the log. */
const UNREAD: Readonly<Record<Unread, typeof beginForgotten>> = {
  forgotten: beginForgotten,
  undated: beginUndated,
  "long ago": beginLongAgo,
};
/** Pauses between two looks at a chain: at the head, behind it, and while no wallet could be paid. */
const AT_THE_HEAD_MS = 2_000;
const BEHIND_MS = 0;
const WITHOUT_WALLETS_MS = 5_000;
/** Only an operator can mend it: a line of the log a minute is enough. */
const OTHER_CHAIN_MS = 60_000;

/**
 * Notes in the database how far reading has come, with the hash of the last block, unless the node has forgotten that one.
 * @returns false if another reader has moved on meanwhile, where the chain was rewritten meanwhile, and where the node does not answer: the
 *   blocks are read again
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

/** Says which blocks are not read, as the node has forgotten them. */
const reportForgotten = ({ counted, logger, network }: DepositWatch, blocks: readonly bigint[]): void => {
  const [from, to] = [blocks.at(0), blocks.at(-1)];
  if (blocks.length > 0) counted.blocksForgotten(logger, { network, from, to, blocks: blocks.length });
};

/**
 * Reads blocks up to the final one, a round's worth at most, and notes once how far it came: a chain of short blocks costs the
 * database no more than one of long ones.
 * @returns the last one that was read
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
 * Judges whether the node is of the network's own chain: what another one's blocks brought came to nobody here.
 * @returns how long to pause before it is asked again, in milliseconds; undefined when it is
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

/** Whether the node has said for minutes that it has forgotten a block: the first one of which it tells is behind it. */
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

/** Says where reading begins. @returns the last block that counts as read; undefined while the node does not tell */
const begin = async (watch: DepositWatch, finalHeight: bigint): Promise<ReadPlace | undefined> => {
  const { chain, database, memory, network, now, logger } = watch;
  const oldest = await oldestWalletOn(database, network);
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
  const oldest = await oldestWalletOn(database, network);
  if (oldest === undefined) return last;
  const found = await endOfEmptyTime(chain.node, finalHeight, oldest, memory.lookBack);
  if (!found.ok || found.value === undefined || found.value <= last.height) return last;
  const to = { height: found.value, marks: last.marks };
  if (!(await moveReadingOn(database, network, last, to))) return last;
  emptyTimePassed(logger, { network, from: last.height, to: to.height });
  return to;
};

/**
 * One round of watching a network: reads final blocks, in their order, for what they brought to wallets. No node is asked before a
 * wallet could be paid.
 * @returns how long to pause, in milliseconds
 */
export const watchDeposits = async (watch: DepositWatch): Promise<number> => {
  const { chain, database, network } = watch;
  if (chain.node.arrivals === undefined || !(await watch.isUsed())) return WITHOUT_WALLETS_MS;
  const head = await chain.node.head();
  if (!head.ok) return AT_THE_HEAD_MS;
  const { finalHeight } = head.value;
  const known = await lastReadBlock(database, network);
  // not asked where nothing is to be read: public nodes count calls
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
