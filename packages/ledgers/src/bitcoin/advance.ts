import { fateOfSubmission } from "../submission-faults.ts";
import { bucketValue } from "./bucket-map.ts";
import { latestBitcoindBlock } from "./chain/chain.ts";
import { bitcoinFaucetPayment } from "./faucet.ts";
import type { BitcoindFees } from "./fees.ts";
import { withoutEntries } from "./mempool/mempool.ts";
import { withDescendants } from "./mempool/relatives.ts";
import { mineBitcoindBlock } from "./mine.ts";
import { invalidateBlock, reconsiderBlock, undoBlocks } from "./reorganise.ts";
import type { BitcoindFaults, BitcoindState } from "./state.ts";
import { type BitcoindRefusal, type BitcoindSubmission, submitTransaction } from "./submission.ts";

/** The events of a ledger. Time, in seconds since 1970, is part of an event; there is no randomness. */
export type BitcoindEvent =
  | { readonly kind: "submit"; readonly submission: BitcoindSubmission }
  /** @param rewardScript the script that the reward pays; undefined is the faucet */
  | { readonly kind: "mine"; readonly time: number; readonly rewardScript: Uint8Array | undefined }
  | {
      readonly kind: "fund";
      readonly script: Uint8Array;
      /** satoshis */
      readonly amount: bigint;
      readonly time: number;
    }
  /** drops a waiting transaction and its descendants; without a txid, all that wait */
  | { readonly kind: "drop"; readonly txid: string | undefined }
  /** keeps a transaction, or without a txid all that wait, out of the next blocks */
  | { readonly kind: "delay"; readonly txid: string | undefined; readonly blocks: number }
  /** replaces the last blocks by a branch that is one block longer; their transactions return to the mempool */
  | { readonly kind: "reorg"; readonly depth: number; readonly time: number }
  | { readonly kind: "invalidate" | "reconsider"; readonly hash: string; readonly time: number }
  | { readonly kind: "set-fees"; readonly fees: BitcoindFees }
  | { readonly kind: "set-faults"; readonly faults: BitcoindFaults };

export type BitcoindEffect =
  | { readonly kind: "pooled"; readonly txid: string; readonly replyIsLost: boolean }
  | ({ readonly kind: "refused"; readonly replyIsLost: boolean } & BitcoindRefusal)
  | { readonly kind: "mined"; readonly hash: string };

export interface BitcoindStep {
  readonly state: BitcoindState;
  readonly effects: readonly BitcoindEffect[];
}

const NOT_FOUND = -5;
const INSUFFICIENT_FUNDS = -6;
const INVALID_PARAMETER = -8;
const DATABASE_ERROR = -20;

const refused = (state: BitcoindState, code: number, message: string, replyIsLost = false): BitcoindStep => ({
  state,
  effects: [{ kind: "refused", code, message, replyIsLost }],
});

const taken = (state: BitcoindState, submission: BitcoindSubmission, replyIsLost: boolean): BitcoindStep => {
  const outcome = submitTransaction(state, submission);
  return outcome.ok
    ? { state: outcome.state, effects: [{ kind: "pooled", txid: outcome.txid, replyIsLost }] }
    : refused(state, outcome.code, outcome.message, replyIsLost);
};

const submitted = (state: BitcoindState, submission: BitcoindSubmission): BitcoindStep => {
  const { refusal, replyIsLost, faults } = fateOfSubmission(state.faults);
  const isAsEver = refusal === undefined && !replyIsLost;
  const next = isAsEver ? state : { ...state, faults: { ...state.faults, ...faults } };
  return refusal === undefined
    ? taken(next, submission, replyIsLost)
    : refused(next, state.faults.refusalCode, refusal.message, replyIsLost);
};

const funded = (state: BitcoindState, script: Uint8Array, amount: bigint, time: number): BitcoindStep => {
  const bytes = bitcoinFaucetPayment(state, script, [amount]);
  return bytes === undefined
    ? refused(state, INSUFFICIENT_FUNDS, "the faucet has too little: mine blocks, or ask for less")
    : taken(state, { bytes, maxFeeRate: 0n, maxBurn: 0n, time }, false);
};

const mined = (state: BitcoindState, time: number, rewardScript: Uint8Array, takesTransactions: boolean) => {
  const next = mineBitcoindBlock(state, { time, rewardScript, takesTransactions });
  const { hash } = latestBitcoindBlock(next.chain);
  const effect: BitcoindEffect = { kind: "mined", hash };
  return { state: next, effects: [effect] };
};

const dropped = (state: BitcoindState, txid: string | undefined): BitcoindStep => {
  const { entries } = state.mempool;
  if (txid !== undefined && !entries.has(txid)) return notWaiting(state, txid);
  const gone = withDescendants(state.mempool, new Set(txid === undefined ? entries.keys() : [txid]));
  return { state: { ...state, mempool: withoutEntries(state.mempool, gone) }, effects: [] };
};

const delayed = (state: BitcoindState, txid: string | undefined, blocks: number): BitcoindStep => {
  const { entries } = state.mempool;
  if (txid !== undefined && !entries.has(txid)) return notWaiting(state, txid);
  const notBefore = latestBitcoindBlock(state.chain).height + 1 + blocks;
  const changed = [...entries].map(([each, entry]) => {
    const isMeant = txid === undefined || txid === each;
    return [each, isMeant ? { ...entry, notBefore } : entry] as const;
  });
  return { state: { ...state, mempool: { ...state.mempool, entries: new Map(changed) } }, effects: [] };
};

const notWaiting = (state: BitcoindState, txid: string): BitcoindStep =>
  refused(state, NOT_FOUND, `the transaction ${txid} does not wait in the mempool`);

const reorganised = (state: BitcoindState, depth: number, time: number): BitcoindStep => {
  if (depth >= state.chain.blocks.length) {
    const most = state.chain.blocks.length - 1;
    return refused(state, INVALID_PARAMETER, `at most ${most} blocks can be undone: the first one stays`);
  }
  const { script } = state.genesis.faucet;
  let step: BitcoindStep = { state: undoBlocks(state, depth, time), effects: [] };
  for (let count = 0; count <= depth; count += 1) {
    const next = mined(step.state, time, script, false);
    step = { state: next.state, effects: [...step.effects, ...next.effects] };
  }
  return step;
};

const judged = (
  state: BitcoindState,
  hash: string,
  time: number,
  judge: typeof invalidateBlock,
): BitcoindStep => {
  const block = bucketValue(state.chain.known, hash);
  if (block === undefined) return refused(state, NOT_FOUND, "Block not found");
  const isFirst = block.height <= (state.chain.blocks[0]?.height ?? 0);
  return isFirst
    ? refused(state, DATABASE_ERROR, "the first block that the ledger holds stays")
    : { state: judge(state, block, time), effects: [] };
};

/** The ledger's transition function. Equal states and events give equal states and effects. */
export const advanceBitcoin = (state: BitcoindState, event: BitcoindEvent): BitcoindStep => {
  switch (event.kind) {
    case "submit":
      return submitted(state, event.submission);
    case "mine":
      return mined(state, event.time, event.rewardScript ?? state.genesis.faucet.script, true);
    case "fund":
      return funded(state, event.script, event.amount, event.time);
    case "drop":
      return dropped(state, event.txid);
    case "delay":
      return delayed(state, event.txid, event.blocks);
    case "reorg":
      return reorganised(state, event.depth, event.time);
    case "invalidate":
      return judged(state, event.hash, event.time, invalidateBlock);
    case "reconsider":
      return judged(state, event.hash, event.time, reconsiderBlock);
    case "set-fees":
      return { state: { ...state, fees: event.fees }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
  }
};
