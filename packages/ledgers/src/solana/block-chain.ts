import type { AgaveBlock } from "./block.ts";

/** Blocks per chunk, so that adding a block copies a few hundred blocks and not all. */
const CHUNK = 256;
/** How many chunks of consecutive blocks a ledger keeps. Of older blocks it keeps only those with transactions. */
const CHUNKS_KEPT = 240;
const OLD_TRANSACTIONS_KEPT = 20_000;

/** The blocks of a ledger, oldest first. */
export interface AgaveBlockChain {
  /** the oldest blocks, only those with transactions */
  readonly sparse: readonly AgaveBlock[];
  /** chunks of consecutive blocks */
  readonly older: readonly (readonly AgaveBlock[])[];
  /** the latest blocks, consecutive: more than a fork can undo, and more than a blockhash stays valid for */
  readonly recent: readonly AgaveBlock[];
}

export const openAgaveBlockChain = (first: AgaveBlock): AgaveBlockChain => ({
  sparse: [],
  older: [],
  recent: [first],
});

/** @param age how many blocks behind the latest one; less than a chunk */
export const recentAgaveBlock = ({ recent }: AgaveBlockChain, age: number): AgaveBlock | undefined =>
  recent.at(-1 - age);

/** The oldest block from which on none is missing. */
export const firstWholeAgaveBlock = ({ older, recent }: AgaveBlockChain): AgaveBlock => {
  const first = (older[0] ?? recent)[0];
  if (first === undefined) throw new RangeError("a ledger has its first block");
  return first;
};

/** All kept blocks, oldest first. */
export function* agaveBlocks({ sparse, older, recent }: AgaveBlockChain): Generator<AgaveBlock> {
  yield* sparse;
  for (const chunk of older) yield* chunk;
  yield* recent;
}

/** All kept blocks, latest first. */
export function* agaveBlocksBack({ sparse, older, recent }: AgaveBlockChain): Generator<AgaveBlock> {
  for (const chunk of [sparse, ...older, recent].toReversed()) yield* chunk.toReversed();
}

/** @returns undefined if the slot was skipped, lies in the future, or its block was forgotten */
export const agaveBlockOfSlot = (
  { sparse, older, recent }: AgaveBlockChain,
  slot: number,
): AgaveBlock | undefined =>
  [sparse, ...older, recent]
    .findLast(([first]) => first !== undefined && first.slot <= slot)
    ?.find((block) => block.slot === slot);

/** The blocks with transactions, of the latest as many as the limit on transactions allows. */
const withTransactions = (blocks: readonly AgaveBlock[]): readonly AgaveBlock[] => {
  let room = OLD_TRANSACTIONS_KEPT;
  const kept = blocks
    .filter(({ transactions }) => transactions.length > 0)
    .toReversed()
    .filter(({ transactions }) => {
      room -= transactions.length;
      return room >= 0;
    });
  return kept.toReversed();
};

/** Appends a block, and forgets the oldest blocks beyond the limits. */
export const withAgaveBlock = (chain: AgaveBlockChain, block: AgaveBlock): AgaveBlockChain => {
  const recent = chain.recent.concat(block);
  if (recent.length < 2 * CHUNK) return { ...chain, recent };
  const older = [...chain.older, recent.slice(0, CHUNK)];
  const [oldest, ...others] = older;
  const rest = recent.slice(CHUNK);
  return older.length <= CHUNKS_KEPT || oldest === undefined
    ? { ...chain, older, recent: rest }
    : { sparse: withTransactions([...chain.sparse, ...oldest]), older: others, recent: rest };
};

/** Removes the latest blocks. @param depth how many; less than a chunk */
export const withoutAgaveBlocks = (chain: AgaveBlockChain, depth: number): AgaveBlockChain => ({
  ...chain,
  recent: chain.recent.slice(0, -depth),
});

/**
 * Forgets the undo data of a block that has become final, because no fork can undo it any more. @param age how many
 * blocks behind the latest one
 */
export const withFinalAgaveBlock = (chain: AgaveBlockChain, age: number): AgaveBlockChain => {
  const final = recentAgaveBlock(chain, age);
  if (final === undefined || final.undo.size === 0) return chain;
  return { ...chain, recent: chain.recent.with(-1 - age, { ...final, undo: new Map() }) };
};
