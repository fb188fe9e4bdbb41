import type { AgaveBlock } from "./block.ts";
import { recentAgaveBlock } from "./block-chain.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";

/**
 * How old the blockhash of a transaction in a block may be: this many blocks before the block's parent, or newer. @source
 * Solana, solana-clock: MAX_PROCESSING_AGE
 */
export const AGAVE_BLOCKHASH_AGE_MAX = 150;

/**
 * Whether the next block after a given one may hold a transaction with this blockhash.
 * @param height of the given block
 * @source Agave, runtime/src/bank.rs: is_hash_valid_for_age
 */
export const isAgaveBlockhashValid = (state: AgaveState, height: number, blockhash: string): boolean => {
  const latest = latestAgaveBlock(state).height;
  for (let age = 0; age <= AGAVE_BLOCKHASH_AGE_MAX; age += 1) {
    if (recentAgaveBlock(state.chain, latest - height + age)?.blockhash === blockhash) return true;
  }
  return false;
};

/** The blocks that may hold a transaction whose blockhash is still valid. */
const recentBlocks = ({ chain }: AgaveState): readonly AgaveBlock[] =>
  chain.recent.slice(-1 - AGAVE_BLOCKHASH_AGE_MAX);

/**
 * Whether a block holds a transaction with this message, under any signatures. @param height of the last block to search
 */
export const isAgaveMessageLanded = (
  state: AgaveState,
  messageHash: string,
  height = latestAgaveBlock(state).height,
): boolean =>
  recentBlocks(state).some(
    (block) =>
      block.height <= height &&
      block.transactions.some(({ transaction }) => transaction.messageHash === messageHash),
  );
