import { grownAgaveData, withAgaveChanges } from "./account.ts";
import { recentAgaveBlock, withoutAgaveBlocks } from "./block-chain.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";
import type { AgaveWaiting } from "./waiting.ts";

/**
 * Abandons the fork with the latest blocks: their slots count as skipped, and their transactions wait again.
 * @param depth how many blocks
 * @returns undefined if one of them is already final
 */
export const reorganisedAgave = (state: AgaveState, depth: number): AgaveState | undefined => {
  if (latestAgaveBlock(state).height - depth < state.finalHeight) return undefined;
  // latest first
  const undone = Array.from({ length: depth }, (_, age) => recentAgaveBlock(state.chain, age)).filter(
    (block) => block !== undefined,
  );
  let { accounts, dataBytes } = state;
  for (const { undo } of undone) {
    const before = accounts;
    dataBytes += grownAgaveData(undo, (address) => before.get(address));
    accounts = withAgaveChanges(accounts, undo);
  }
  const back = undone
    .toReversed()
    .flatMap(({ transactions }) =>
      transactions.map(({ transaction }): AgaveWaiting => ({ transaction, notBefore: 0 })),
    );
  return {
    ...state,
    accounts,
    dataBytes,
    chain: withoutAgaveBlocks(state.chain, depth),
    waiting: [...back, ...state.waiting],
  };
};
