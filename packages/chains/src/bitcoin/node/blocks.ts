import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import type { BitcoinNetwork } from "../network.ts";
import { NO_BLOCK } from "./raw-block.ts";
import { askBitcoind, type BitcoinRpc, demandBitcoind } from "./rpc.ts";

/** Error code for a height without a block (RPC_INVALID_PARAMETER). */
const OUT_OF_RANGE = -8;

const height = z.bigint().nonnegative();
export const hashSchema: z.ZodType<string> = z.string().regex(/^[0-9a-f]{64}$/);
const infoSchema = z.object({ blocks: height, bestblockhash: hashSchema, mediantime: z.bigint() });
const blockSchema = z.object({
  hash: hashSchema,
  height,
  previousblockhash: hashSchema.optional(),
  tx: z.array(hashSchema),
  /** Unix seconds */
  time: z.bigint().optional(),
});

const NO_PARENT = "0".repeat(64);

/** The node's last block. */
export const lastBlock = (rpc: BitcoinRpc) => demandBitcoind(rpc, infoSchema, "getblockchaininfo");

const progressSchema = z.object({ initialblockdownload: z.boolean() });

/** Whether the node is in its initial block download, or a reindex. */
export const isReadingChain = async (rpc: BitcoinRpc): Promise<Result<boolean>> => {
  const found = await demandBitcoind(rpc, progressSchema, "getblockchaininfo");
  return found.ok ? ok(found.value.initialblockdownload) : found;
};

/** The highest block with this many confirmations. */
export const finalHeight = (tip: bigint, finality: number): bigint => tip - BigInt(finality) + 1n;

export const bitcoinHead = async (
  { finality }: BitcoinNetwork,
  rpc: BitcoinRpc,
): Promise<Result<ChainHead>> => {
  const found = await lastBlock(rpc);
  if (!found.ok) return found;
  const { blocks, bestblockhash } = found.value;
  const final = finalHeight(blocks, finality);
  return ok({ height: blocks, hash: bestblockhash, confirmedHeight: final, finalHeight: final });
};

/** @returns undefined if there is no block at this height yet */
const hashAt = (rpc: BitcoinRpc, at: bigint): Promise<Result<string | undefined>> =>
  askBitcoind(rpc, hashSchema, [OUT_OF_RANGE], "getblockhash", Number(at));

const depthSchema = z.object({ confirmations: z.bigint() });

/**
 * The hash of a final block. Several nodes may stand behind one address: the node that reported the final height may
 * not be the one that gives this hash, which may be an orphan's. So a node must confirm that exactly this block is deep
 * enough in the best chain.
 *
 * @returns ServiceUnavailable if the block has fewer confirmations (-1 for an orphan), or there is none at this height
 * yet
 */
export const finalHashAt = async (
  { finality }: Pick<BitcoinNetwork, "finality">,
  rpc: BitcoinRpc,
  at: bigint,
): Promise<Result<string>> => {
  const notFinal = nodeAway(rpc.network, `it does not call block ${at} final yet`);
  const hash = await hashAt(rpc, at);
  if (!hash.ok || hash.value === undefined) return hash.ok ? notFinal : hash;
  const header = await askBitcoind(rpc, depthSchema, NO_BLOCK, "getblockheader", hash.value, true);
  if (!header.ok) return header;
  const { confirmations = 0n } = header.value ?? {};
  return confirmations >= BigInt(finality) ? ok(hash.value) : notFinal;
};

/**
 * Reads which of our transactions a block contains. @returns undefined if the node does not have the block yet, or has
 * pruned it
 */
export const bitcoinBlock = async (
  rpc: BitcoinRpc,
  at: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const hash = await hashAt(rpc, at);
  if (!hash.ok || hash.value === undefined) return hash.ok ? ok(undefined) : hash;
  const block = await askBitcoind(rpc, blockSchema, NO_BLOCK, "getblock", hash.value, 1);
  if (!block.ok || block.value === undefined) return block.ok ? ok(undefined) : block;
  const { previousblockhash: parentHash = NO_PARENT, tx, time } = block.value;
  const holds = tx.filter((txid) => ours.has(txid));
  return ok({ height: at, hash: hash.value, parentHash, holds, ...dateBySeconds(time) });
};

/** The height of a block, and the time that its miner gave, in Unix seconds. */
export const placeOfBlock = async (
  rpc: BitcoinRpc,
  hash: string,
): Promise<Result<{ readonly height: bigint; readonly time: bigint | undefined }>> => {
  const block = await demandBitcoind(rpc, blockSchema, "getblock", hash, 1);
  return block.ok ? ok({ height: block.value.height, time: block.value.time }) : block;
};

const headerSchema = z.object({ mediantime: z.bigint() });

/** The median time of a block of the best chain and the ten blocks before it, Unix seconds. */
export const medianTimeAt = async (rpc: BitcoinRpc, at: bigint): Promise<Result<bigint>> => {
  const hash = await demandBitcoind(rpc, hashSchema, "getblockhash", Number(at));
  if (!hash.ok) return hash;
  const header = await demandBitcoind(rpc, headerSchema, "getblockheader", hash.value);
  return header.ok ? ok(header.value.mediantime) : header;
};

/** The hash of the node's first block, which identifies its chain. */
export const firstBlockHashOf = async (rpc: BitcoinRpc): Promise<Result<string>> => {
  const first = await hashAt(rpc, 0n);
  if (!first.ok) return first;
  return first.value === undefined ? nodeAway(rpc.network, "it has no first block") : ok(first.value);
};

/** Checks that the node is of the chain that the networks file names; another chain's coins and blocks prove nothing here. */
export const judgeChain = async ({ genesisHash }: BitcoinNetwork, rpc: BitcoinRpc): Promise<Result<void>> => {
  const own = await firstBlockHashOf(rpc);
  if (!own.ok) return own;
  return own.value === genesisHash ? ok(undefined) : nodeAway(rpc.network, "it is of another chain");
};
