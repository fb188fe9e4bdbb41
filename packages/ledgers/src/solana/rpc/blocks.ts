import { z } from "zod";
import type { AgaveBlock } from "../block.ts";
import { agaveBlockOfSlot, agaveBlocks, firstWholeAgaveBlock } from "../block-chain.ts";
import { AGAVE_BLOCKHASH_AGE_MAX, isAgaveBlockhashValid } from "../blockhashes.ts";
import { AGAVE_SLOTS_PER_EPOCH } from "../epoch.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { type AgaveState, agaveBlockAt, latestAgaveBlock } from "../state.ts";
import { agaveSignatureOf } from "../wire/transaction.ts";
import {
  type AgaveAnswer,
  type AgaveMethod,
  agaveMethod,
  agaveRefused,
  agaveResult,
  atAgaveContext,
  contextParameter,
  inAgaveContext,
} from "./method.ts";
import {
  accountsJson,
  landedJson,
  transactionEncodingParameter,
  versionRefusal,
} from "./transaction-json.ts";
import { historyCommitmentParameter } from "./transactions.ts";

const MOST_BLOCKS_LISTED = 500_000;
/** This ledger pays no rewards to a block's leader. */
const NO_REWARDS = { rewards: [] };

const slotParameter = z.int().min(0);

const blockOptions = z.preprocess(
  (given) => (typeof given === "string" ? { encoding: given } : given),
  z
    .looseObject({
      encoding: transactionEncodingParameter,
      commitment: historyCommitmentParameter,
      maxSupportedTransactionVersion: z.int().min(0).max(255).optional(),
      transactionDetails: z.enum(["full", "accounts", "signatures", "none"]).default("full"),
      rewards: z.boolean().default(true),
    })
    .prefault({}),
);

const blockJson = (block: AgaveBlock, options: z.output<typeof blockOptions>): AgaveAnswer => {
  const details = options.transactionDetails;
  const form = details === "accounts" ? accountsJson : landedJson;
  const isListed = details === "full" || details === "accounts";
  if (isListed) {
    for (const landed of block.transactions) {
      const refusal = versionRefusal(landed, options);
      if (refusal !== undefined) return agaveRefused(refusal.code, refusal.message);
    }
  }
  return agaveResult({
    blockHeight: block.height,
    blockTime: block.time,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    ...(options.rewards ? NO_REWARDS : {}),
    ...(isListed ? { transactions: block.transactions.map((landed) => form(landed, options)) } : {}),
    ...(details === "signatures"
      ? { signatures: block.transactions.map(({ transaction }) => agaveSignatureOf(transaction)) }
      : {}),
  });
};

/**
 * A block that has the required commitment, or the error. @source Agave, rpc/src/rpc.rs: check_blockstore_root,
 * check_slot_cleaned_up
 */
const inBlock = (
  state: AgaveState,
  slot: number,
  latest: AgaveBlock,
  run: (block: AgaveBlock) => AgaveAnswer,
): AgaveAnswer => {
  const first = firstWholeAgaveBlock(state.chain);
  const block = agaveBlockOfSlot(state.chain, slot);
  if (slot < first.slot) {
    return agaveRefused(
      AGAVE_CODES.blockCleanedUp,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first.slot}`,
    );
  }
  if (slot > latest.slot) {
    return agaveRefused(AGAVE_CODES.blockNotAvailable, `Block not available for slot ${slot}`);
  }
  return block === undefined
    ? agaveRefused(
        AGAVE_CODES.slotSkipped,
        `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      )
    : run(block);
};

const slotsBetween = (state: AgaveState, from: number, to: number, latest: AgaveBlock): readonly number[] =>
  [...agaveBlocks(state.chain)]
    .filter(({ slot, height }) => slot >= from && slot <= to && height <= latest.height)
    .map(({ slot }) => slot);

const rangeOptions = z.looseObject({ commitment: historyCommitmentParameter }).prefault({});

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_BLOCK_METHODS: Readonly<Record<string, AgaveMethod>> = {
  getSlot: agaveMethod({ options: contextParameter }, ({ state }, { options }) =>
    atAgaveContext(state, options, ({ slot }) => agaveResult(slot)),
  ),
  getBlockHeight: agaveMethod({ options: contextParameter }, ({ state }, { options }) =>
    atAgaveContext(state, options, ({ height }) => agaveResult(height)),
  ),
  getLatestBlockhash: agaveMethod({ options: contextParameter }, ({ state }, { options }) =>
    atAgaveContext(state, options, (block) =>
      inAgaveContext(block, {
        blockhash: block.blockhash,
        lastValidBlockHeight: block.height + AGAVE_BLOCKHASH_AGE_MAX,
      }),
    ),
  ),
  isBlockhashValid: agaveMethod(
    { blockhash: z.string(), options: contextParameter },
    ({ state }, { blockhash, options }) =>
      atAgaveContext(state, options, (block) =>
        inAgaveContext(block, isAgaveBlockhashValid(state, block.height, blockhash)),
      ),
  ),
  getFirstAvailableBlock: agaveMethod({}, ({ state }) => agaveResult(firstWholeAgaveBlock(state.chain).slot)),
  minimumLedgerSlot: agaveMethod({}, ({ state }) => agaveResult(firstWholeAgaveBlock(state.chain).slot)),
  getBlock: agaveMethod({ slot: slotParameter, options: blockOptions }, ({ state }, { slot, options }) =>
    inBlock(state, slot, agaveBlockAt(state, options.commitment), (block) => blockJson(block, options)),
  ),
  getBlockTime: agaveMethod({ slot: slotParameter }, ({ state }, { slot }) =>
    inBlock(state, slot, latestAgaveBlock(state), ({ time }) => agaveResult(time)),
  ),
  getBlocks: agaveMethod(
    { from: slotParameter, to: slotParameter.optional(), options: rangeOptions },
    ({ state }, { from, to = from + MOST_BLOCKS_LISTED, options }) =>
      to - from > MOST_BLOCKS_LISTED
        ? agaveRefused(AGAVE_CODES.invalidParams, `Slot range too large; max ${MOST_BLOCKS_LISTED}`)
        : agaveResult(slotsBetween(state, from, to, agaveBlockAt(state, options.commitment))),
  ),
  getBlocksWithLimit: agaveMethod(
    { from: slotParameter, limit: z.int().min(0).max(MOST_BLOCKS_LISTED), options: rangeOptions },
    ({ state }, { from, limit, options }) =>
      agaveResult(
        slotsBetween(state, from, Number.MAX_SAFE_INTEGER, agaveBlockAt(state, options.commitment)).slice(
          0,
          limit,
        ),
      ),
  ),
  getEpochInfo: agaveMethod({ options: contextParameter }, ({ state }, { options }) =>
    atAgaveContext(state, options, ({ slot, height }) =>
      agaveResult({
        absoluteSlot: slot,
        blockHeight: height,
        epoch: Math.floor(slot / AGAVE_SLOTS_PER_EPOCH),
        slotIndex: slot % AGAVE_SLOTS_PER_EPOCH,
        slotsInEpoch: AGAVE_SLOTS_PER_EPOCH,
        transactionCount: null,
      }),
    ),
  ),
};
