import type { Arrival } from "@conclave/chains";
import {
  type Asset,
  type Deposit,
  depositDetected,
  type FamilyTable,
  type Network,
  type Result,
  spellSolanaToken,
  spellStellarToken,
  storableDeposit,
} from "@conclave/custody";
import {
  beginReading,
  type Database,
  insertDeposit,
  type Logger,
  lastReadBlock,
  moveReadingOn,
  oldestWalletOn,
  type Payee,
  type ReadBlock,
  recordEvents,
  walletsAt,
} from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import type { DescribeTokens } from "./described-tokens.ts";
import { firstKnownBlock } from "./first-known-block.ts";
import { isSaidAgain } from "./is-said-again.ts";
import { shortlyBefore, type Unread, whereReadingBegins } from "./where-reading-begins.ts";

/** Blocks read in one round; the others come in the next, at once. */
const BLOCKS_A_ROUND = 50n;
/** Blocks that are asked for at the same time where several are to be read. */
const BLOCKS_AT_ONCE = 4n;
/**
 * A block that the node does not have counts as forgotten where it lies so far behind the final one, and a block that is too large is waited
 * for no longer there. A final block that lies so far below the last one that was read is of a chain that began anew, as for development.
 */
const OUT_OF_REACH_BLOCKS = 256n;
/** Of what a node calls a place, in characters of a line of the log. */
const PLACE_SHOWN = 100;
/** Why blocks are not read that were made since the oldest wallet was, for the log. */
const UNREAD: Readonly<Record<Unread, string>> = {
  forgotten:
    "the node has forgotten blocks since the oldest wallet was made: what they brought is not detected",
  undated: "the node tells no block's date: what came to wallets long before this first look is not detected",
  "long ago":
    "the oldest wallet was made long before this first look: what came to it until a day ago is not detected",
};
/** Pauses between two looks at a chain: at the head, behind it, and while no wallet could be paid. */
const AT_THE_HEAD_MS = 2_000;
const BEHIND_MS = 0;
const WITHOUT_WALLETS_MS = 5_000;
/** Only an operator can mend it: a line of the log a minute is enough. */
const OTHER_CHAIN_MS = 60_000;

export interface DepositWatch {
  readonly database: Database;
  readonly families: FamilyTable;
  readonly chain: ServedChain;
  readonly network: Network;
  /** whether a wallet of the network could be paid */
  readonly isUsed: () => Promise<boolean>;
  readonly describeTokens: DescribeTokens;
  /** ISO 8601 UTC */
  readonly now: () => string;
  /** hears how many final blocks are still to be read */
  readonly unread: (blocks: number) => void;
  /** hears of how many blocks nobody can tell any more what they brought */
  readonly passedOver: (blocks: number) => void;
  /** hears of an arrival that is not stored: no list could show it */
  readonly unstorable: () => void;
  readonly logger: Logger;
}

/** A transaction of one of the organisation's own wallets is told of as a deposit, too, at the receiver's. */
const depositsOf = async (
  { chain, describeTokens, logger, network, now, unstorable }: DepositWatch,
  height: bigint,
  arrivals: readonly Arrival[],
  payees: readonly Payee[],
): Promise<readonly Omit<Deposit, "id">[]> => {
  const seen = now();
  const deposits: Omit<Deposit, "id">[] = [];
  const tokens = new Set(arrivals.flatMap(({ moved }) => tokenOf(moved) ?? []));
  const described = await describeTokens(chain.node, tokens);
  const assetOf = (moved: Arrival["moved"]): Asset =>
    moved.kind === "Native" ? chain.family.nativeAsset(network) : (described.get(tokenOf(moved) ?? "") ?? {});
  for (const arrival of arrivals) {
    const asset = assetOf(arrival.moved);
    for (const { walletId, orgId } of payees.filter(({ address }) => address === arrival.moved.to)) {
      const deposit = storableDeposit({
        ...arrival,
        walletId,
        orgId,
        network,
        asset,
        blockNumber: height,
        date: arrival.date ?? seen,
      });
      if (deposit === undefined) {
        unstorable();
        logger.error(
          { network, height, walletId, place: arrival.place.slice(0, PLACE_SHOWN) },
          "the node tells of a deposit what no record can hold: it is not detected",
        );
      } else deposits.push(deposit);
    }
  }
  return deposits;
};

/** How the chain's node calls a token that moved. */
const tokenOf = (moved: Arrival["moved"]): string | undefined => {
  if ("contract" in moved) return moved.contract;
  if ("assetId" in moved) return moved.assetId;
  if ("mint" in moved) return spellSolanaToken(moved);
  if (moved.kind === "Trc10") return moved.tokenId;
  return "assetCode" in moved
    ? spellStellarToken({ code: moved.assetCode, issuer: moved.issuer })
    : undefined;
};

/** What a node tells of a block, and the wallets that were paid there. */
interface Told {
  readonly arrivals: Result<readonly Arrival[] | undefined> | undefined;
  readonly payees: readonly Payee[];
}

const askFor = async ({ chain, database, network }: DepositWatch, height: bigint): Promise<Told> => {
  let payees: readonly Payee[] = [];
  const arrivals = await chain.node.arrivals?.(height, async (addresses) => {
    payees = addresses.length === 0 ? [] : await walletsAt(database, network, addresses);
    return new Set(payees.map(({ address }) => address));
  });
  return { arrivals, payees };
};

/**
 * What became of a block: "stored" with what it brought, "empty" of anything of ours, "absent" where the node has no such block,
 * "too large" where it tells more than goes through, "unread" where it does not tell or another reader has stored what it brought.
 */
type BlockOutcome = "stored" | "empty" | "absent" | "too large" | "unread";

/** Stores what a block brought with its events, all in one transaction with the height: each is detected once (INV-6). */
const store = (
  { database, families, logger, network, now }: DepositWatch,
  stands: bigint,
  height: bigint,
  deposits: readonly Omit<Deposit, "id">[],
): Promise<BlockOutcome> =>
  database.transaction(async (connection) => {
    if (!(await moveReadingOn(connection, network, stands, { height, hash: null }))) return "unread";
    for (const deposit of deposits) {
      if (!(await insertDeposit(connection, deposit))) continue;
      const event = depositDetected(families, deposit, now());
      if (event !== undefined) await recordEvents(connection, [event]);
      logger.info({ network, txHash: deposit.txHash, walletId: deposit.walletId }, "deposit detected");
    }
    return "stored";
  });

/**
 * Takes in what a block brought. One that brought nothing is not stored by itself: a reader that dies reads it again.
 * @param stands where reading stands in the database
 */
const takeIn = async (
  watch: DepositWatch,
  stands: bigint,
  height: bigint,
  { arrivals, payees }: Told,
): Promise<BlockOutcome> => {
  const { logger, network } = watch;
  if (arrivals === undefined) return "unread";
  if (!arrivals.ok) {
    logger.warn({ network, height, problem: arrivals.problem }, "a block is not read for deposits");
    return arrivals.problem.code === "BlockTooLarge" ? "too large" : "unread";
  }
  if (arrivals.value === undefined) return "absent";
  const deposits = await depositsOf(watch, height, arrivals.value, payees);
  return deposits.length === 0 ? "empty" : store(watch, stands, height, deposits);
};

/** Whether the node says the same of a block as before. */
const isStill = async (
  watch: DepositWatch,
  outcome: "absent" | "too large",
  height: bigint,
): Promise<boolean> => {
  // the same question: of a block that pays nobody here a node may tell what it has forgotten of others
  const { arrivals: told } = await askFor(watch, height);
  if (told === undefined) return false;
  return outcome === "absent"
    ? told.ok && told.value === undefined
    : !told.ok && told.problem.code === "BlockTooLarge";
};

/** Goes on behind blocks that the node has forgotten: nobody can tell any more what they brought. */
const passOver = async (
  { chain, database, logger, network, passedOver }: DepositWatch,
  absent: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const { arrivals } = chain.node;
  if (arrivals === undefined) return;
  const known = await firstKnownBlock(arrivals, absent, finalHeight);
  if (!known.ok) return;
  if (known.value === undefined) {
    logger.warn(
      { network, height: absent, finalHeight },
      "the node tells of no block what it brought, not even of the final one: nothing is passed over",
    );
    return;
  }
  const [from, to] = [absent, known.value - 1n];
  logger.error(
    { network, from, to },
    "the node has forgotten blocks that were not read: what they brought to wallets is not detected",
  );
  if (await moveReadingOn(database, network, absent - 1n, { height: to, hash: null })) {
    passedOver(Number(to - absent) + 1);
  }
};

/**
 * Goes on behind a block of which the node tells more than goes through, however it is asked. The node must tell of its final block: what
 * refuses every block is no block's size, but a limit that somebody has to raise.
 */
const passOverTooLarge = async (
  { chain, database, logger, network, passedOver }: DepositWatch,
  height: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const final = await chain.node.arrivals?.(finalHeight, async () => new Set());
  if (final?.ok !== true || final.value === undefined) return;
  logger.error(
    { network, height },
    "a block is too large for the node to tell, and was not read: what it brought to wallets is not detected",
  );
  if (await moveReadingOn(database, network, height - 1n, { height, hash: null })) passedOver(1);
};

/**
 * Where reading goes on. A chain that holds another block where reading stands was rewritten below a final block, as a local node does
 * that was killed and comes back with a state from before: it is read again from far enough below. A node that is still reading its
 * own chain, as after -reindex of bitcoind, is waited for.
 * @returns the last block that counts as read; undefined where that is not known
 */
const readSoFar = async (
  { chain, database, network, logger }: DepositWatch,
  { height, hash }: ReadBlock,
  finalHeight: bigint,
): Promise<bigint | undefined> => {
  const goBack = async (to: bigint, why: string): Promise<undefined> => {
    logger.error({ network, read: height, finalHeight, from: to }, why);
    await moveReadingOn(database, network, height, { height: to, hash: null });
  };
  const isFarAbove = (final: bigint): boolean => height > final + OUT_OF_REACH_BLOCKS;
  if (isFarAbove(finalHeight)) {
    // geth shows no block for minutes after a start, and says that it does not sync
    if (finalHeight <= 0n) return undefined;
    const isShort = await isSaidAgain(async () => {
      const head = await chain.node.head();
      return head.ok && isFarAbove(head.value.finalHeight);
    });
    if (!isShort) return undefined;
    const catchingUp = await chain.node.isCatchingUp?.();
    if (catchingUp !== undefined && (!catchingUp.ok || catchingUp.value)) {
      logger.warn(
        { network, read: height, finalHeight },
        "the node reads its chain anew: reading waits for it",
      );
      return undefined;
    }
    return goBack(
      shortlyBefore(finalHeight),
      "the chain is shorter than what was read of it: it is read anew",
    );
  }
  if (hash === null || height >= finalHeight) return height;
  const found = await chain.node.block(height, new Set());
  if (!found.ok) return undefined;
  if (found.value === undefined || found.value.hash === hash) return height;
  const isOther = await isSaidAgain(async () => {
    const again = await chain.node.block(height, new Set());
    return again.ok && again.value !== undefined && again.value.hash !== hash;
  });
  if (!isOther) return undefined;
  const below = height < OUT_OF_REACH_BLOCKS ? 0n : height - OUT_OF_REACH_BLOCKS;
  return goBack(below, "the chain holds another block where reading stands: what lies below is read again");
};

/** Notes in the database how far reading has come, with the hash of the last block where the node tells it. */
const note = async (
  { chain, database, network }: DepositWatch,
  stands: bigint,
  read: bigint,
): Promise<void> => {
  const block = await chain.node.block(read, new Set());
  const hash = block.ok && block.value !== undefined ? block.value.hash : null;
  await moveReadingOn(database, network, stands, { height: read, hash });
};

/** How far blocks were taken in. */
interface TakenIn {
  /** where reading stands in the database */
  readonly stands: bigint;
  /** the last block that was taken in */
  readonly read: bigint;
  /** what became of the next one; of the last one where all were taken in */
  readonly outcome: BlockOutcome;
}

/**
 * Takes in blocks from one on, until one is not taken in, a round's worth at most. Once the node told of the first one, the next ones are
 * asked for while a block is taken in: to ask for one after the other may take longer than the chain makes them.
 */
const takeInFrom = async (watch: DepositWatch, from: bigint, finalHeight: bigint): Promise<TakenIn> => {
  const last = finalHeight - from < BLOCKS_A_ROUND ? finalHeight : from + BLOCKS_A_ROUND;
  const asked: Promise<Told>[] = [];
  let taken: TakenIn = { stands: from, read: from, outcome: "empty" };
  try {
    while (taken.read < last) {
      const atOnce = taken.read === from ? 1n : BLOCKS_AT_ONCE;
      while (asked.length < atOnce && taken.read + BigInt(asked.length) < last) {
        asked.push(askFor(watch, taken.read + BigInt(asked.length) + 1n));
      }
      const told = await asked.shift();
      if (told === undefined) break;
      const { stands, read } = taken;
      const outcome = await takeIn(watch, stands, read + 1n, told);
      if (outcome !== "empty" && outcome !== "stored") return { stands, read, outcome };
      taken = { stands: outcome === "stored" ? read + 1n : stands, read: read + 1n, outcome };
    }
    return taken;
  } finally {
    await Promise.allSettled(asked);
  }
};

/**
 * Reads blocks up to the final one, a round's worth at most, and notes once how far it came: a chain of short blocks costs the
 * database no more than one of long ones.
 * @returns the last one that was read
 */
const readOn = async (watch: DepositWatch, from: bigint, finalHeight: bigint): Promise<bigint> => {
  const { stands, read, outcome } = await takeInFrom(watch, from, finalHeight);
  if (read > from) await note(watch, stands, read);
  if (finalHeight - read <= OUT_OF_REACH_BLOCKS) return read;
  if (outcome !== "absent" && outcome !== "too large") return read;
  if (!(await isSaidAgain(() => isStill(watch, outcome, read + 1n)))) return read;
  if (outcome === "absent") await passOver(watch, read + 1n, finalHeight);
  else await passOverTooLarge(watch, read + 1n, finalHeight);
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
  logger.error(
    { network, chain: found.value },
    "the node is of another chain than the networks file says: nothing is read for deposits",
  );
  return OTHER_CHAIN_MS;
};

/** Says where reading begins. @returns the last block that counts as read; undefined while the node does not tell */
const begin = async (
  { chain, database, network, now, logger }: DepositWatch,
  finalHeight: bigint,
): Promise<ReadBlock | undefined> => {
  const oldest = await oldestWalletOn(database, network);
  const found = await whereReadingBegins(chain.node, finalHeight, oldest, now());
  if (!found.ok) return undefined;
  const { height, unread } = found.value;
  if (unread !== undefined) logger.error({ network, from: height, oldestWallet: oldest }, UNREAD[unread]);
  await beginReading(database, network, height);
  return lastReadBlock(database, network);
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
  const last = known ?? (await begin(watch, finalHeight));
  if (last === undefined) return AT_THE_HEAD_MS;
  const from = await readSoFar(watch, last, finalHeight);
  if (from === undefined) return AT_THE_HEAD_MS;
  const read = await readOn(watch, from, finalHeight);
  watch.unread(read < finalHeight ? Number(finalHeight - read) : 0);
  return read - from === BLOCKS_A_ROUND ? BEHIND_MS : AT_THE_HEAD_MS;
};
