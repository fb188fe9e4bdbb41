import type { JavaTronBlock, JavaTronConfirmed } from "./block.ts";
import { javaTronReference } from "./block.ts";
import type { JavaTronBooks } from "./books.ts";
import { type JavaTronFaults, NO_JAVA_TRON_FAULTS } from "./faults.ts";
import { type JavaTronGenesis, openingJavaTronBooks } from "./genesis.ts";
import { JAVA_TRON_PRICES, type JavaTronPrices } from "./parameters.ts";
import type { JavaTronSubmission } from "./transaction/transaction.ts";

/**
 * How many blocks a ledger keeps. Of older ones it remembers the ids of transactions that have not expired, so that they
 * cannot be sent again.
 */
const MOST_BLOCKS_KEPT = 20_000;
const MOST_TRANSACTIONS_KEPT = 100_000;
/**
 * How many later blocks make a block solid: on the main network two thirds of the witnesses, that is 18 blocks, must
 * build on it; here fewer.
 */
export const BLOCKS_UNTIL_SOLID = 3;
const REFERENCE_NUMBERS = 0x1_0000;

export interface JavaTronWaiting {
  readonly submission: JavaTronSubmission;
  /** number of the first block that may hold it: an operator can delay it */
  readonly notBefore: number;
}

export interface JavaTronState {
  readonly genesis: JavaTronGenesis;
  readonly prices: JavaTronPrices;
  readonly faults: JavaTronFaults;
  /** after the latest block */
  readonly books: JavaTronBooks;
  /** after each of the latest blocks, from the solid one on, latest last; the last is `books` */
  readonly recentBooks: readonly JavaTronBooks[];
  /** latest last */
  readonly blocks: readonly JavaTronBlock[];
  /** expirations by id, of transactions in forgotten blocks */
  readonly forgotten: ReadonlyMap<string, number>;
  /** in the order of arrival */
  readonly waiting: readonly JavaTronWaiting[];
  /** the books after all waiting transactions, without their contract runs */
  readonly pendingBooks: JavaTronBooks;
  /** how many payments the faucet made: the count makes each payment unique */
  readonly fundings: number;
}

/** @param time creation time of the faucet's account, in milliseconds since 1970 */
export const openTronLedger = (genesis: JavaTronGenesis, time: number): JavaTronState => {
  const books = openingJavaTronBooks(genesis, time);
  return {
    genesis,
    prices: JAVA_TRON_PRICES,
    faults: NO_JAVA_TRON_FAULTS,
    books,
    recentBooks: [books],
    blocks: [genesis.block],
    forgotten: new Map(),
    waiting: [],
    pendingBooks: books,
    fundings: 0,
  };
};

export const latestJavaTronBlock = ({ blocks }: JavaTronState): JavaTronBlock => {
  const block = blocks.at(-1);
  if (block === undefined) throw new RangeError("a ledger has its first block");
  return block;
};

/** @returns undefined for a block that is not kept, or not made yet */
export const javaTronBlockAt = ({ blocks }: JavaTronState, number: number): JavaTronBlock | undefined => {
  const first = blocks[0]?.number ?? 0;
  return number < first ? undefined : blocks[number - first];
};

/** The view of a full node, or of a solidity node, which shows only blocks that cannot be undone. */
export type JavaTronView = "latest" | "solid";

export const javaTronHead = (state: JavaTronState, view: JavaTronView): JavaTronBlock => {
  const latest = latestJavaTronBlock(state);
  if (view === "latest") return latest;
  return javaTronBlockAt(state, Math.max(0, latest.number - BLOCKS_UNTIL_SOLID)) ?? latest;
};

export const javaTronBooksOf = (state: JavaTronState, view: JavaTronView): JavaTronBooks =>
  view === "latest" ? state.books : (state.recentBooks[0] ?? state.books);

export interface JavaTronFound extends JavaTronConfirmed {
  readonly block: JavaTronBlock;
}

/** Finds a transaction in the blocks of a view. */
export const confirmedJavaTron = (
  state: JavaTronState,
  id: string,
  view: JavaTronView,
): JavaTronFound | undefined => {
  const block = state.blocks.findLast(({ transactions }) => transactions.has(id));
  const found = block?.transactions.get(id);
  if (block === undefined || found === undefined) return undefined;
  return block.number <= javaTronHead(state, view).number ? { ...found, block } : undefined;
};

/** By the low bytes of its number, the hash that a reference to one of the latest 65536 blocks must have. */
export const referenceHashIn =
  (state: JavaTronState) =>
  (refBlockBytes: string): string | undefined => {
    const { number } = latestJavaTronBlock(state);
    const low = Number.parseInt(refBlockBytes, 16);
    const back = (number - low + REFERENCE_NUMBERS) % REFERENCE_NUMBERS;
    const block = Number.isNaN(back)
      ? undefined
      : javaTronBlockAt(state, number - (back % REFERENCE_NUMBERS));
    if (block === undefined) return undefined;
    const reference = javaTronReference(block);
    return reference.bytes === refBlockBytes ? reference.hash : undefined;
  };

/** Forgets the oldest blocks beyond the limits. */
export const trimmedJavaTron = (state: JavaTronState): JavaTronState => {
  const { blocks } = state;
  let transactions = 0;
  let kept = 0;
  for (let age = 1; age <= blocks.length; age += 1) {
    transactions += blocks.at(-age)?.transactions.size ?? 0;
    const isTooMuch = age > MOST_BLOCKS_KEPT || transactions > MOST_TRANSACTIONS_KEPT;
    if (isTooMuch && age > BLOCKS_UNTIL_SOLID + 1) break;
    kept = age;
  }
  if (kept === blocks.length) return state;
  const { time } = latestJavaTronBlock(state);
  const old = blocks
    .slice(0, -kept)
    .flatMap((block) => [...block.transactions.values()])
    .map(({ submission }): [string, number] => [submission.id, submission.transaction.expiration]);
  const forgotten = [...state.forgotten, ...old].filter(([, expiration]) => expiration > time);
  return { ...state, blocks: blocks.slice(-kept), forgotten: new Map(forgotten) };
};
