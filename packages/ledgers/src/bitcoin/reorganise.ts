import { bucketValue } from "./bucket-map.ts";
import type { BitcoindBlock } from "./chain/block.ts";
import {
  type BitcoindChain,
  connectBlock,
  disconnectBlock,
  isInChain,
  latestBitcoindBlock,
} from "./chain/chain.ts";
import type { MempoolEntry } from "./mempool/mempool.ts";
import { refilledMempool } from "./mempool/refill.ts";
import type { BitcoindState } from "./state.ts";
import { outpointKey } from "./transaction/transaction.ts";

/** A block's transactions as mempool entries, with their fees, so that they can wait again. */
const entriesOf = (block: BitcoindBlock, time: number): readonly MempoolEntry[] => {
  const made = new Map(
    block.transactions.flatMap(({ txid, outputs }) =>
      outputs.map(({ amount }, index): [string, bigint] => [outpointKey({ txid, index }), amount]),
    ),
  );
  return block.transactions.slice(1).map((transaction) => {
    const keys = transaction.inputs.map(outpointKey);
    const given = keys.reduce((sum, key) => sum + (block.spent.get(key)?.amount ?? made.get(key) ?? 0n), 0n);
    const paid = transaction.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    return { transaction, fee: given - paid, time, height: block.height - 1, notBefore: 0 };
  });
};

/**
 * Undoes the latest blocks without declaring them invalid; their transactions return to the mempool, ahead of the others.
 */
export const undoBlocks = (state: BitcoindState, blocks: number, time: number): BitcoindState => {
  let { chain } = state;
  let returned: readonly MempoolEntry[] = [];
  for (let count = 0; count < blocks; count += 1) {
    returned = [...entriesOf(latestBitcoindBlock(chain), time), ...returned];
    chain = disconnectBlock(chain);
  }
  const waiting = [...returned, ...state.mempool.entries.values()];
  return { ...state, chain, mempool: refilledMempool(chain, waiting, state.mempool.floor) };
};

/** The blocks from the fork with the chain up to a tip, lowest first, without the block of the fork. */
const branchTo = (chain: BitcoindChain, tip: BitcoindBlock): readonly BitcoindBlock[] => {
  const branch: BitcoindBlock[] = [];
  let at: BitcoindBlock | undefined = tip;
  while (at !== undefined && !isInChain(chain, at)) {
    branch.unshift(at);
    at = bucketValue(chain.known, at.header.previous);
  }
  return at === undefined ? [] : branch;
};

/** The undone block with the most work and no invalid ancestor, if it has more work than the chain. */
const betterTip = (chain: BitcoindChain): BitcoindBlock | undefined => {
  const invalid = new Set(chain.invalid);
  let best = latestBitcoindBlock(chain);
  for (const hash of chain.stale) {
    const block = bucketValue(chain.known, hash);
    if (block === undefined || block.chainWork <= best.chainWork) continue;
    const branch = branchTo(chain, block);
    if (branch.length > 0 && !branch.some((each) => invalid.has(each.hash))) best = block;
  }
  return isInChain(chain, best) ? undefined : best;
};

/** Switches to the chain with the most work. */
const reorganised = (state: BitcoindState, time: number): BitcoindState => {
  const tip = betterTip(state.chain);
  if (tip === undefined) return state;
  const branch = branchTo(state.chain, tip);
  const fork = (branch[0]?.height ?? tip.height) - 1;
  const back = undoBlocks(state, latestBitcoindBlock(state.chain).height - fork, time);
  const chain = branch.reduce((longer, block) => connectBlock(longer, block), back.chain);
  return { ...back, chain, mempool: refilledMempool(chain, back.mempool.entries.values(), 0n) };
};

/** @source Bitcoin Core, src/validation.cpp: InvalidateBlock */
export const invalidateBlock = (state: BitcoindState, block: BitcoindBlock, time: number): BitcoindState => {
  const latest = latestBitcoindBlock(state.chain).height;
  const depth = isInChain(state.chain, block) ? latest - block.height + 1 : 0;
  const back = undoBlocks(state, depth, time);
  const known = back.chain.invalid.filter((hash) => bucketValue(back.chain.known, hash) !== undefined);
  const invalid = [...new Set([...known, block.hash])];
  return reorganised({ ...back, chain: { ...back.chain, invalid } }, time);
};

/**
 * Clears the invalid mark of a block, its ancestors and its descendants. @source Bitcoin Core, src/validation.cpp:
 * ResetBlockFailureFlags
 */
export const reconsiderBlock = (state: BitcoindState, block: BitcoindBlock, time: number): BitcoindState => {
  const { chain } = state;
  const isKin = (hash: string): boolean => {
    const other = bucketValue(chain.known, hash);
    return other !== undefined && (isUpon(chain, other, block) || isUpon(chain, block, other));
  };
  const invalid = chain.invalid.filter((hash) => !isKin(hash));
  return reorganised({ ...state, chain: { ...chain, invalid } }, time);
};

const isUpon = (chain: BitcoindChain, upper: BitcoindBlock, lower: BitcoindBlock): boolean => {
  let at: BitcoindBlock | undefined = upper;
  while (at !== undefined && at.height > lower.height) at = bucketValue(chain.known, at.header.previous);
  return at?.hash === lower.hash;
};
