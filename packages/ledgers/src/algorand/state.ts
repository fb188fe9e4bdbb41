import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import { type AlgodBlock, type ConfirmedTransaction, makeBlock } from "./block.ts";
import type { AlgodBooks } from "./books.ts";
import { type AlgodGenesis, openingBooks } from "./genesis.ts";
import { type AlgodPool, emptyAlgodPool } from "./pool.ts";
import type { EvaluationContext } from "./rules/evaluate.ts";
import type { AlgodFees } from "./rules/fees.ts";
import { NO_PAST } from "./rules/history.ts";
import { MOST_ROUNDS_VALID } from "./transaction/well-formed.ts";

/** A ledger answers for so many; older ones are forgotten, but never one that a valid transaction can stand in. */
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
  /** payments that the faucet made: each is another transaction */
  readonly fundings: bigint;
}

/** A ledger whose block 0 was made at a time. @param time seconds since 1970 */
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

/** The blocks that a ledger keeps, the latest last. */
export const keptBlocks = (blocks: readonly AlgodBlock[]): readonly AlgodBlock[] => {
  let transactions = 0;
  for (let age = 1; age <= blocks.length; age += 1) {
    transactions += blocks.at(-age)?.transactions.size ?? 0;
    const isTooMuch = age > MOST_BLOCKS_KEPT || transactions > MOST_TRANSACTIONS_KEPT;
    if (isTooMuch && age > BLOCKS_OF_VALID_TRANSACTIONS) return blocks.slice(1 - age);
  }
  return blocks;
};

/** The blocks in which a transaction that is still valid can stand. */
const recentBlocks = ({ blocks }: AlgodState): readonly AlgodBlock[] =>
  blocks.slice(-BLOCKS_OF_VALID_TRANSACTIONS);

/** As a node, a ledger finds a confirmed transaction by its id for a thousand rounds. */
export const confirmedIn = (state: AlgodState, id: string): ConfirmedTransaction | undefined =>
  recentBlocks(state)
    .find(({ transactions }) => transactions.has(id))
    ?.transactions.get(id);

/** Where a group stands that wants to be in the next block, apart from those that wait already. */
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
