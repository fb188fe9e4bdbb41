import type { AgaveBlock } from "./block.ts";

/** Blocks are kept by so many, so that one more copies a few hundred and not all. */
const CHUNK = 256;
/** A ledger answers for so many chunks of blocks; of older ones it keeps those that hold transactions. */
const CHUNKS_KEPT = 240;
const OLD_TRANSACTIONS_KEPT = 20_000;

/** The blocks of a ledger, the latest last. */
export interface AgaveBlockChain {
  /** those among the oldest that hold transactions: between them some are missing */
  readonly sparse: readonly AgaveBlock[];
  /** in chunks; between them none is missing */
  readonly older: readonly (readonly AgaveBlock[])[];
  /** the latest ones: more than any fork undoes, and any blockhash is valid for */
  readonly recent: readonly AgaveBlock[];
}

export const openAgaveBlockChain = (first: AgaveBlock): AgaveBlockChain => ({
  sparse: [],
  older: [],
  recent: [first],
});

/** @param age blocks behind the latest one, less than a chunk of them */
export const recentAgaveBlock = ({ recent }: AgaveBlockChain, age: number): AgaveBlock | undefined =>
  recent.at(-1 - age);

/** The oldest block behind which none is missing. */
export const firstWholeAgaveBlock = ({ older, recent }: AgaveBlockChain): AgaveBlock => {
  const first = (older[0] ?? recent)[0];
  if (first === undefined) throw new RangeError("a ledger has its first block");
  return first;
};

/** All of them, the oldest first. */
export function* agaveBlocks({ sparse, older, recent }: AgaveBlockChain): Generator<AgaveBlock> {
  yield* sparse;
  for (const chunk of older) yield* chunk;
  yield* recent;
}

/** All of them, the latest first. */
export function* agaveBlocksBack({ sparse, older, recent }: AgaveBlockChain): Generator<AgaveBlock> {
  for (const chunk of [sparse, ...older, recent].toReversed()) yield* chunk.toReversed();
}

/** @returns undefined if the slot was skipped, is to come, or its block was forgotten */
export const agaveBlockOfSlot = (
  { sparse, older, recent }: AgaveBlockChain,
  slot: number,
): AgaveBlock | undefined =>
  [sparse, ...older, recent]
    .findLast(([first]) => first !== undefined && first.slot <= slot)
    ?.find((block) => block.slot === slot);

/** The latest of them that hold so many transactions. */
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

/** The chain with one more block, and without what a node does not keep. */
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

/** The chain without its latest blocks. @param depth less than a chunk of them */
export const withoutAgaveBlocks = (chain: AgaveBlockChain, depth: number): AgaveBlockChain => ({
  ...chain,
  recent: chain.recent.slice(0, -depth),
});

/** A block that is final now: no fork undoes it, and what it would take is forgotten. @param age blocks behind the latest one */
export const withFinalAgaveBlock = (chain: AgaveBlockChain, age: number): AgaveBlockChain => {
  const final = recentAgaveBlock(chain, age);
  if (final === undefined || final.undo.size === 0) return chain;
  return { ...chain, recent: chain.recent.with(-1 - age, { ...final, undo: new Map() }) };
};
