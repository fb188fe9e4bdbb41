import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateByMs } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { TRON_INT64_MAX } from "../rules/numbers.ts";
import { askTron, findTron, TRANSACTIONS, type TronHttp, tronAway } from "./http.ts";

export const blockId = z.string().regex(/^[0-9a-f]{64}$/);
/** At most 63 bits, in each form that the JSON parsers give. Protobuf's JSON leaves out zeros. */
export const count = z
  .union([z.bigint(), z.int(), z.string().regex(/^[0-9]{1,20}$/)])
  .transform(BigInt)
  .pipe(z.bigint().nonnegative().max(TRON_INT64_MAX))
  .default(0n);

const headerSchema = z.object({
  blockID: blockId,
  block_header: z.object({
    raw_data: z.object({ number: count, timestamp: count, parentHash: blockId }),
  }),
});
/** The transaction root of an empty block (java-tron, BlockCapsule.calcMerkleRoot). */
const EMPTY_ROOT = "00".repeat(32);

/** The header's digest of the block's transactions. */
export const ofItsContents = z.object({
  block_header: z.object({ raw_data: z.object({ number: count, timestamp: count, txTrieRoot: blockId }) }),
});

/**
 * Whether a block shows its transactions: one without any, but with a root that is not empty, was stripped by a node or
 * a proxy.
 */
export const isShownWhole = ({
  transactions,
  block_header: { raw_data },
}: z.output<typeof ofItsContents> & { readonly transactions: readonly unknown[] }): boolean =>
  transactions.length > 0 || raw_data.txTrieRoot === EMPTY_ROOT;

const blockSchema = headerSchema
  .extend({ transactions: z.array(z.object({ txID: blockId })).default([]) })
  .and(ofItsContents)
  .refine(isShownWhole);

/** The API to ask: that of the latest blocks, or that of solid blocks, which cannot be undone. */
export type TronSide = "wallet" | "walletsolidity";

export interface TronBlockHeader {
  readonly height: bigint;
  /** lower-case hex */
  readonly id: string;
  readonly parent: string;
  /** Unix milliseconds */
  readonly timeMs: bigint;
}

const headerOf = ({
  blockID,
  block_header: { raw_data },
}: z.output<typeof headerSchema>): TronBlockHeader => ({
  height: raw_data.number,
  id: blockID,
  parent: raw_data.parentHash,
  timeMs: raw_data.timestamp,
});

/** The last block that a node has. */
export const lastTronBlock = async (http: TronHttp, side: TronSide): Promise<Result<TronBlockHeader>> => {
  const found = await askTron(http, {
    path: `/${side}/getblock`,
    body: { detail: false },
    schema: headerSchema,
  });
  return found.ok ? ok(headerOf(found.value)) : found;
};

/** @returns undefined if the node has no block at this height */
export const headerAt = async (
  http: TronHttp,
  side: TronSide,
  height: bigint,
): Promise<Result<TronBlockHeader | undefined>> => {
  const found = await findTron(http, {
    path: `/${side}/getblock`,
    body: { id_or_num: height.toString(), detail: false },
    schema: headerSchema,
  });
  if (!found.ok) return found;
  return found.value === undefined ? ok(undefined) : asAsked(http, height, headerOf(found.value));
};

/** Checks the height: a block of another height than requested proves nothing about this one. */
const asAsked = <T extends TronBlockHeader>(http: TronHttp, height: bigint, block: T): Result<T> =>
  block.height === height
    ? ok(block)
    : tronAway(http.network, `asked for block ${height}, it shows block ${block.height}`);

const firstBlockOf = (http: TronHttp, side: TronSide) =>
  askTron(http, {
    path: `/${side}/getblock`,
    body: { id_or_num: "0", detail: false },
    schema: headerSchema.pick({ blockID: true }),
  });

/**
 * The id of the node's first block, which identifies its chain. Both APIs are asked, because different processes may
 * serve them, and a transaction refers to a solid block.
 */
export const genesisBlockOf = async (http: TronHttp): Promise<Result<string>> => {
  const [latest, solid] = await Promise.all([
    firstBlockOf(http, "wallet"),
    firstBlockOf(http, "walletsolidity"),
  ]);
  if (!latest.ok) return latest;
  if (!solid.ok) return solid;
  return latest.value.blockID === solid.value.blockID
    ? ok(latest.value.blockID)
    : tronAway(http.network, "its solid blocks are of another chain than its latest ones");
};

export interface TronBlockIds extends TronBlockHeader {
  /** ids of its transactions, in order */
  readonly ids: readonly string[];
}

/** A block with the ids of its transactions; undefined if the node has no block at this height. */
export const tronBlockAt = async (
  http: TronHttp,
  side: TronSide,
  height: bigint,
): Promise<Result<TronBlockIds | undefined>> => {
  const found = await findTron(http, {
    path: `/${side}/getblock`,
    body: { id_or_num: height.toString(), detail: true },
    schema: blockSchema,
    reading: TRANSACTIONS,
  });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const ids = found.value.transactions.map(({ txID }) => txID);
  return asAsked(http, height, { ...headerOf(found.value), ids });
};

/** A block is final once it is solid: two thirds of the witnesses have built on it. */
export const tronHead = async (http: TronHttp): Promise<Result<ChainHead>> => {
  // the solid block first, so that it cannot be above the other one
  const solid = await lastTronBlock(http, "walletsolidity");
  if (!solid.ok) return solid;
  const last = await lastTronBlock(http, "wallet");
  if (!last.ok) return last;
  const { height, id: hash } = last.value;
  return ok({ height, hash, confirmedHeight: solid.value.height, finalHeight: solid.value.height });
};

/** Our transactions in a block. @returns undefined if the node does not have the block yet */
export const tronBlock = async (
  http: TronHttp,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const found = await tronBlockAt(http, "wallet", height);
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { id: hash, parent: parentHash, ids, timeMs } = found.value;
  return ok({ height, hash, parentHash, holds: ids.filter((id) => ours.has(id)), ...dateByMs(timeMs) });
};
