import type { AgaveBlock } from "./block.ts";
import { recentAgaveBlock } from "./block-chain.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";

/** A block may hold a transaction that names the hash of one of so many blocks before its parent, or its parent's. @source Solana, solana-clock: MAX_PROCESSING_AGE */
export const AGAVE_BLOCKHASH_AGE_MAX = 150;

/**
 * Whether the block behind a block may hold what names a blockhash.
 * @param height of the block before
 * @source Agave, runtime/src/bank.rs: is_hash_valid_for_age
 */
export const isAgaveBlockhashValid = (state: AgaveState, height: number, blockhash: string): boolean => {
  const latest = latestAgaveBlock(state).height;
  for (let age = 0; age <= AGAVE_BLOCKHASH_AGE_MAX; age += 1) {
    if (recentAgaveBlock(state.chain, latest - height + age)?.blockhash === blockhash) return true;
  }
  return false;
};

/** The blocks in which a transaction can stand whose blockhash is still valid. */
const recentBlocks = ({ chain }: AgaveState): readonly AgaveBlock[] =>
  chain.recent.slice(-1 - AGAVE_BLOCKHASH_AGE_MAX);

/** Whether a message was carried out already, under whatever signatures. @param height of the last block that counts */
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
