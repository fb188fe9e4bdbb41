import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import type { AgaveAccount } from "./account.ts";
import { type AgaveAddress, SYSTEM_PROGRAM } from "./address.ts";
import { type AgaveBlock, type AgaveLanded, makeAgaveBlock } from "./block.ts";
import {
  type AgaveBlockChain,
  agaveBlocks,
  openAgaveBlockChain,
  recentAgaveBlock,
  withAgaveBlock,
  withFinalAgaveBlock,
} from "./block-chain.ts";
import { AGAVE_FAUCET_LAMPORTS, type AgaveGenesis } from "./genesis.ts";
import type { AgaveWaiting } from "./waiting.ts";

/** Blocks behind the latest one at which a block is final. */
const FINAL_DEPTH = 32;
/** Blocks behind the latest one at which two thirds of the votes have confirmed a block. */
const CONFIRMED_DEPTH = 1;

/** A node's commitment levels for a block. */
export type AgaveCommitment = "processed" | "confirmed" | "finalized";

export interface AgaveState {
  readonly genesis: AgaveGenesis;
  readonly faults: SubmissionFaults;
  /** micro-lamports: a transaction that offers less per compute unit waits */
  readonly unitPriceFloor: bigint;
  /** after the latest block */
  readonly accounts: ReadonlyMap<AgaveAddress, AgaveAccount>;
  readonly chain: AgaveBlockChain;
  /** of the latest final block, which no fork can undo */
  readonly finalHeight: number;
  /** the highest slot that any block had, undone blocks included */
  readonly lastSlot: number;
  /** total account data, in bytes */
  readonly dataBytes: number;
  /** in the order of arrival */
  readonly waiting: readonly AgaveWaiting[];
  /** how many payments the faucet made: the count makes each payment unique */
  readonly fundings: number;
}

/** A ledger with its block 0. @param time of that block, in seconds since 1970 */
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
    chain: openAgaveBlockChain(makeAgaveBlock(genesis.hash, undefined, first)),
    finalHeight: 0,
    lastSlot: 0,
    dataBytes: 0,
    waiting: [],
    fundings: 0,
  };
};

export const latestAgaveBlock = ({ chain }: Pick<AgaveState, "chain">): AgaveBlock => {
  const block = recentAgaveBlock(chain, 0);
  if (block === undefined) throw new RangeError("a ledger has its first block");
  return block;
};

/** The latest height with a commitment; the first block is final from the start. */
const heightAt = (state: AgaveState, commitment: AgaveCommitment): number => {
  const { height } = latestAgaveBlock(state);
  const heights: Readonly<Record<AgaveCommitment, number>> = {
    processed: height,
    confirmed: Math.max(height - CONFIRMED_DEPTH, state.finalHeight),
    finalized: state.finalHeight,
  };
  return heights[commitment];
};

/** The latest block with a commitment. */
export const agaveBlockAt = (state: AgaveState, commitment: AgaveCommitment): AgaveBlock =>
  blockOfHeight(state, heightAt(state, commitment));

/** The commitment of a block. */
export const agaveCommitmentOf = (state: AgaveState, { height }: AgaveBlock): AgaveCommitment => {
  if (height <= state.finalHeight) return "finalized";
  return height <= heightAt(state, "confirmed") ? "confirmed" : "processed";
};

/** @param height less than a chunk of blocks behind the latest */
const blockOfHeight = ({ chain }: AgaveState, height: number): AgaveBlock => {
  const block = recentAgaveBlock(chain, latestAgaveBlock({ chain }).height - height);
  if (block === undefined) throw new RangeError("there is no such block");
  return block;
};

/** The account of an address after a block that is not final, or is the latest final one. */
export const agaveAccountAt = (
  { chain, accounts }: AgaveState,
  block: AgaveBlock,
  address: AgaveAddress,
): AgaveAccount | undefined => {
  const { height } = latestAgaveBlock({ chain });
  for (let age = height - block.height - 1; age >= 0; age -= 1) {
    const undo = recentAgaveBlock(chain, age)?.undo;
    if (undo?.has(address) === true) return undo.get(address);
  }
  return accounts.get(address);
};

/**
 * @param blocks to search; by default all
 * @returns the transactions with these signatures, each with its block
 */
export const agaveLandedAs = (
  { chain }: AgaveState,
  signatures: ReadonlySet<string>,
  blocks: Iterable<AgaveBlock> = agaveBlocks(chain),
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

/** Appends a block to the state. */
export const withNextAgaveBlock = (
  state: AgaveState,
  block: AgaveBlock,
): Pick<AgaveState, "chain" | "finalHeight" | "lastSlot"> => {
  const { slot: lastSlot, height } = block;
  const finalHeight = Math.max(state.finalHeight, height - FINAL_DEPTH);
  const chain = withFinalAgaveBlock(withAgaveBlock(state.chain, block), height - finalHeight);
  return { chain, finalHeight, lastSlot };
};
