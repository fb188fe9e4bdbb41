import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import type { AgaveAccount } from "./account.ts";
import { type AgaveAddress, SYSTEM_PROGRAM } from "./address.ts";
import { type AgaveBlock, type AgaveLanded, makeAgaveBlock } from "./block.ts";
import { AGAVE_FAUCET_LAMPORTS, type AgaveGenesis } from "./genesis.ts";
import type { AgaveWaiting } from "./waiting.ts";

/** Blocks behind the latest one until a block is final, and until two thirds have voted for it. */
const FINAL_DEPTH = 32;
const CONFIRMED_DEPTH = 1;

/** A ledger answers for so many blocks; of older ones it keeps those that hold transactions. */
const BLOCKS_KEPT = 30_000;
const TRANSACTIONS_KEPT = 20_000;
/** Older blocks are forgotten so many at a time, for each time copies all. */
const BLOCKS_FORGOTTEN_AT_ONCE = 1_000;

/** How sure a node is of a block. */
export type AgaveCommitment = "processed" | "confirmed" | "finalized";

export interface AgaveState {
  readonly genesis: AgaveGenesis;
  readonly faults: SubmissionFaults;
  /** micro-lamports: what offers less for a compute unit waits */
  readonly unitPriceFloor: bigint;
  /** after the latest block */
  readonly accounts: ReadonlyMap<AgaveAddress, AgaveAccount>;
  /** the latest last */
  readonly blocks: readonly AgaveBlock[];
  /** the height from which on no block is missing */
  readonly wholeFrom: number;
  /** of the latest final block: a fork undoes none up to it */
  readonly finalHeight: number;
  /** the last slot that any block had, of undone ones too */
  readonly lastSlot: number;
  /** in the order of arrival */
  readonly waiting: readonly AgaveWaiting[];
  /** payments that the faucet made: each is another transaction */
  readonly fundings: number;
}

/** A ledger whose block 0 was made at a time. @param time seconds since 1970 */
export const openSolanaLedger = (genesis: AgaveGenesis, time: number): AgaveState => {
  const faucet = {
    lamports: AGAVE_FAUCET_LAMPORTS,
    data: new Uint8Array(),
    owner: SYSTEM_PROGRAM,
    executable: false,
  };
  const first = { slot: 0, time, transactions: [], unitPriceFloor: 0n, undo: new Map() };
  return {
    genesis,
    faults: NO_FAULTS,
    unitPriceFloor: 0n,
    accounts: new Map([[genesis.faucet.address, faucet]]),
    blocks: [makeAgaveBlock(genesis.hash, undefined, first)],
    wholeFrom: 0,
    finalHeight: 0,
    lastSlot: 0,
    waiting: [],
    fundings: 0,
  };
};

export const latestAgaveBlock = ({ blocks }: AgaveState): AgaveBlock => {
  const block = blocks.at(-1);
  if (block === undefined) throw new RangeError("a ledger has its first block");
  return block;
};

/** The height up to which a node is so sure; the first block is final from the start. */
const heightAt = (state: AgaveState, commitment: AgaveCommitment): number => {
  const { height } = latestAgaveBlock(state);
  const heights: Readonly<Record<AgaveCommitment, number>> = {
    processed: height,
    confirmed: Math.max(height - CONFIRMED_DEPTH, state.finalHeight),
    finalized: state.finalHeight,
  };
  return heights[commitment];
};

/** The latest block of which a node is so sure. */
export const agaveBlockAt = (state: AgaveState, commitment: AgaveCommitment): AgaveBlock =>
  blockOfHeight(state, heightAt(state, commitment));

/** How sure a node is of a block that it has. */
export const agaveCommitmentOf = (state: AgaveState, { height }: AgaveBlock): AgaveCommitment => {
  if (height <= state.finalHeight) return "finalized";
  return height <= heightAt(state, "confirmed") ? "confirmed" : "processed";
};

/** @param height of a block behind which none is missing */
const blockOfHeight = (state: AgaveState, height: number): AgaveBlock => {
  const block = state.blocks.at(-1 - (latestAgaveBlock(state).height - height));
  if (block === undefined) throw new RangeError("there is no such block");
  return block;
};

/** The oldest block behind which none is missing. */
export const firstWholeAgaveBlock = (state: AgaveState): AgaveBlock => blockOfHeight(state, state.wholeFrom);

/** @returns undefined if the slot was skipped, is to come, or its block was forgotten */
export const agaveBlockOfSlot = ({ blocks }: AgaveState, slot: number): AgaveBlock | undefined => {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.slot ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return blocks[low]?.slot === slot ? blocks[low] : undefined;
};

/** What an address held after a block that is not final yet, or after the latest final one. */
export const agaveAccountAt = (
  { blocks, accounts }: AgaveState,
  block: AgaveBlock,
  address: AgaveAddress,
): AgaveAccount | undefined => {
  const latest = blocks.at(-1)?.height ?? 0;
  for (let age = latest - block.height; age > 0; age -= 1) {
    const undo = blocks.at(-age)?.undo;
    if (undo?.has(address) === true) return undo.get(address);
  }
  return accounts.get(address);
};

/** @returns the transactions that are known by these signatures, each with its block */
export const agaveLandedAs = (
  { blocks }: AgaveState,
  signatures: ReadonlySet<string>,
): ReadonlyMap<string, { readonly block: AgaveBlock; readonly landed: AgaveLanded }> => {
  const found = new Map<string, { readonly block: AgaveBlock; readonly landed: AgaveLanded }>();
  for (const block of blocks) {
    for (const landed of block.transactions) {
      const [signature = ""] = landed.transaction.signatures;
      if (signatures.has(signature)) found.set(signature, { block, landed });
    }
  }
  return found;
};

const withoutUndo = (blocks: readonly AgaveBlock[], at: number): readonly AgaveBlock[] => {
  const final = blocks[at];
  if (final === undefined || final.undo.size === 0) return blocks;
  return blocks.with(at, { ...final, undo: new Map() });
};

/** The state with one more block, and without what a node does not keep. */
export const withAgaveBlock = (
  state: AgaveState,
  block: AgaveBlock,
): Pick<AgaveState, "blocks" | "wholeFrom" | "finalHeight" | "lastSlot"> => {
  const { slot: lastSlot, height } = block;
  const finalHeight = Math.max(state.finalHeight, height - FINAL_DEPTH);
  const blocks = withoutUndo([...state.blocks, block], state.blocks.length - (height - finalHeight));
  if (height - state.wholeFrom < BLOCKS_KEPT + BLOCKS_FORGOTTEN_AT_ONCE) {
    return { blocks, wholeFrom: state.wholeFrom, finalHeight, lastSlot };
  }
  const wholeFrom = height - BLOCKS_KEPT;
  let room = TRANSACTIONS_KEPT;
  const kept = blocks.toReversed().filter((each) => {
    room -= each.transactions.length;
    return each.height >= wholeFrom || (each.transactions.length > 0 && room >= 0);
  });
  return { blocks: kept.toReversed(), wholeFrom, finalHeight, lastSlot };
};
