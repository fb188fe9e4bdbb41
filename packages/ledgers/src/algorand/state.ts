import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import { type AlgodBlock, type ConfirmedTransaction, makeBlock } from "./block.ts";
import type { AlgodBooks } from "./books.ts";
import { type AlgodGenesis, openingBooks } from "./genesis.ts";
import { type AlgodPool, emptyAlgodPool } from "./pool.ts";
import type { EvaluationContext } from "./rules/evaluate.ts";
import type { AlgodFees } from "./rules/fees.ts";
import { NO_PAST } from "./rules/history.ts";
import { MOST_ROUNDS_VALID } from "./transaction/well-formed.ts";

/** How many blocks a ledger keeps. It forgets older ones, but never a block that may hold a still valid transaction. */
const MOST_BLOCKS_KEPT = 20_000;
const MOST_TRANSACTIONS_KEPT = 100_000;
const BLOCKS_OF_VALID_TRANSACTIONS = Number(MOST_ROUNDS_VALID) + 1;
const MINIMUM_FEE = 1_000n;
const NO_BLOCK = new Uint8Array(32);

export interface AlgodState {
  readonly genesis: AlgodGenesis;
  readonly fees: AlgodFees;
  readonly faults: SubmissionFaults;
  /** after the latest block */
  readonly books: AlgodBooks;
  /** the latest last */
  readonly blocks: readonly AlgodBlock[];
  readonly pool: AlgodPool;
  /** how many payments the faucet made: the count makes each payment unique */
  readonly fundings: bigint;
}

/** A ledger with its block 0. @param time of that block, in seconds since 1970 */
export const openAlgorandLedger = (genesis: AlgodGenesis, time: bigint): AlgodState => {
  const books = openingBooks(genesis);
  const first = { round: 0n, time, previous: NO_BLOCK, transactions: [], past: NO_PAST };
  return {
    genesis,
    fees: { minimum: MINIMUM_FEE, perByte: 0n },
    faults: NO_FAULTS,
    books,
    blocks: [makeBlock(genesis, { ...first, transactionCount: books.transactionCount })],
    pool: emptyAlgodPool(books, new Map()),
    fundings: 0n,
  };
};

export const latestBlock = ({ blocks }: AlgodState): AlgodBlock => {
  const block = blocks.at(-1);
  if (block === undefined) throw new RangeError("a ledger has its first block");
  return block;
};

export const blockOfRound = ({ blocks }: AlgodState, round: bigint): AlgodBlock | undefined => {
  const first = blocks[0]?.round ?? 0n;
  return round < first ? undefined : blocks[Number(round - first)];
};

/** The blocks that a ledger keeps, latest last. */
export const keptBlocks = (blocks: readonly AlgodBlock[]): readonly AlgodBlock[] => {
  let transactions = 0;
  for (let age = 1; age <= blocks.length; age += 1) {
    transactions += blocks.at(-age)?.transactions.size ?? 0;
    const isTooMuch = age > MOST_BLOCKS_KEPT || transactions > MOST_TRANSACTIONS_KEPT;
    if (isTooMuch && age > BLOCKS_OF_VALID_TRANSACTIONS) return blocks.slice(1 - age);
  }
  return blocks;
};

/** The blocks that may hold a still valid transaction. */
const recentBlocks = ({ blocks }: AlgodState): readonly AlgodBlock[] =>
  blocks.slice(-BLOCKS_OF_VALID_TRANSACTIONS);

/** Finds a confirmed transaction by its id, as a node does, for a thousand rounds. */
export const confirmedIn = (state: AlgodState, id: string): ConfirmedTransaction | undefined =>
  recentBlocks(state)
    .find(({ transactions }) => transactions.has(id))
    ?.transactions.get(id);

/** The context in which a group for the next block is evaluated, without the waiting transactions. */
export const contextOfNextBlock = (state: AlgodState): EvaluationContext => ({
  genesis: state.genesis,
  fees: state.fees,
  round: latestBlock(state).round + 1n,
  pasts: {
    blocks: recentBlocks(state)
      .filter(({ transactions }) => transactions.size > 0)
      .map(({ past }) => past),
    waiting: [],
  },
});
