import { withAgaveChanges } from "./account.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";
import type { AgaveWaiting } from "./waiting.ts";

/**
 * The fork with the latest blocks is given up: their slots count as skipped, and their transactions wait again.
 * @param depth how many blocks
 * @returns undefined if one of them is final already
 */
export const reorganisedAgave = (state: AgaveState, depth: number): AgaveState | undefined => {
  if (latestAgaveBlock(state).height - depth < state.finalHeight) return undefined;
  const undone = state.blocks.slice(-depth);
  const accounts = undone
    .toReversed()
    .reduce((before, { undo }) => withAgaveChanges(before, undo), state.accounts);
  const back = undone.flatMap(({ transactions }) =>
    transactions.map(({ transaction }): AgaveWaiting => ({ transaction, notBefore: 0 })),
  );
  return {
    ...state,
    accounts,
    blocks: state.blocks.slice(0, -depth),
    waiting: [...back, ...state.waiting],
  };
};
