import type { Arrival } from "@conclave/chains";
import {
  type Asset,
  type Deposit,
  depositDetected,
  type FamilyTable,
  type Network,
  spellStellarToken,
} from "@conclave/custody";
import {
  beginReading,
  type Database,
  hasWallets,
  insertDeposit,
  type Logger,
  lastReadBlock,
  type Payee,
  readNextBlock,
  recordEvents,
  walletsAt,
} from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";

/** Blocks read in one round; the others come in the next, at once. */
const BLOCKS_A_ROUND = 50;
/**
 * So far before the first look reading begins: a wallet may have been paid between its creation and that look. Older blocks hold
 * nothing for it.
 */
const BLOCKS_BEFORE_THE_FIRST_LOOK = 30n;
/** Pauses between two looks at a chain: at the head, behind it, and while no wallet could be paid. */
const AT_THE_HEAD_MS = 2_000;
const BEHIND_MS = 0;
const WITHOUT_WALLETS_MS = 5_000;

export interface DepositWatch {
  readonly database: Database;
  readonly families: FamilyTable;
  readonly chain: ServedChain;
  readonly network: Network;
  /** ISO 8601 UTC */
  readonly now: () => string;
  readonly logger: Logger;
}

/** A transaction of one of the organisation's own wallets is told of as a deposit, too, at the receiver's. */
const depositsOf = async (
  { chain, network, now }: DepositWatch,
  height: bigint,
  arrivals: readonly Arrival[],
  payees: readonly Payee[],
): Promise<readonly Omit<Deposit, "id">[]> => {
  const date = now();
  const deposits: Omit<Deposit, "id">[] = [];
  for (const arrival of arrivals) {
    const asset = await assetOf(chain, network, arrival);
    for (const { walletId, orgId } of payees.filter(({ address }) => address === arrival.moved.to)) {
      deposits.push({ ...arrival, walletId, orgId, network, asset, blockNumber: height, date });
    }
  }
  return deposits;
};

/** How the chain's node calls a token that moved. */
const tokenOf = (moved: Arrival["moved"]): string | undefined => {
  if ("contract" in moved) return moved.contract;
  if ("assetId" in moved) return moved.assetId;
  return "assetCode" in moved
    ? spellStellarToken({ code: moved.assetCode, issuer: moved.issuer })
    : undefined;
};

/** What is known of what arrived: of a token what it says of itself, if the node tells. */
const assetOf = async (
  { family, node }: ServedChain,
  network: Network,
  { moved }: Arrival,
): Promise<Asset> => {
  if (moved.kind === "Native") return family.nativeAsset(network);
  const token = tokenOf(moved);
  const described = token === undefined ? undefined : await node.describeToken(token);
  return described?.ok === true ? described.value : {};
};

/**
 * Reads one block, and stores what it brought with its events, all in one transaction with the height: each deposit is detected once
 * (INV-6), however often a reader dies or two of them read the same block.
 * @returns whether there was such a block
 */
const readBlock = async (watch: DepositWatch, height: bigint): Promise<boolean> => {
  const { chain, database, families, logger, network } = watch;
  let payees: readonly Payee[] = [];
  const arrivals = await chain.node.arrivals?.(height, async (addresses) => {
    payees = await walletsAt(database, network, addresses);
    return new Set(payees.map(({ address }) => address));
  });
  if (arrivals === undefined) return false;
  if (!arrivals.ok) {
    logger.warn({ network, height, problem: arrivals.problem }, "a block is not read for deposits");
    return false;
  }
  if (arrivals.value === undefined) return false;
  const deposits = await depositsOf(watch, height, arrivals.value, payees);
  await database.transaction(async (connection) => {
    if (!(await readNextBlock(connection, network, height))) return;
    for (const deposit of deposits) {
      if (!(await insertDeposit(connection, deposit))) continue;
      const event = depositDetected(families, deposit);
      if (event !== undefined) await recordEvents(connection, [event]);
      logger.info({ network, txHash: deposit.txHash, walletId: deposit.walletId }, "deposit detected");
    }
  });
  return true;
};

/**
 * One round of watching a network: reads final blocks, in their order, for what they brought to wallets. No node is asked before a
 * wallet could be paid.
 * @returns how long to pause, in milliseconds
 */
export const watchDeposits = async (watch: DepositWatch): Promise<number> => {
  const { chain, database, network } = watch;
  if (chain.node.arrivals === undefined || !(await hasWallets(database, network))) return WITHOUT_WALLETS_MS;
  const head = await chain.node.head();
  if (!head.ok) return AT_THE_HEAD_MS;
  const { finalHeight } = head.value;
  const first = finalHeight - BLOCKS_BEFORE_THE_FIRST_LOOK;
  await beginReading(database, network, first < 0n ? 0n : first);
  let read = (await lastReadBlock(database, network)) ?? finalHeight;
  for (let count = 0; count < BLOCKS_A_ROUND && read < finalHeight; count += 1) {
    if (!(await readBlock(watch, read + 1n))) return AT_THE_HEAD_MS;
    read += 1n;
  }
  return read < finalHeight ? BEHIND_MS : AT_THE_HEAD_MS;
};
