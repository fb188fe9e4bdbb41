import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { flatMapInTurns, type ReadingTurns } from "../../turns/node/in-turns.ts";
import { ByteReader, UnreadableBytes } from "../wire/bytes.ts";
import { type BareTransaction, readNetworkTransaction } from "../wire/transaction.ts";
import { askBitcoind, type BitcoinRpc } from "./rpc.ts";

/** layout of a header: version, parent and Merkle root; after the time, bits and nonce */
const VERSION_BYTES = 4;
const HASH_BYTES = 32;
const BEHIND_TIME_BYTES = 8;
const BLOCK_UNKNOWN = -5;
/**
 * The node has pruned the block and keeps only its header (Bitcoin Core, rpc/blockchain.cpp,
 * CheckBlockDataAvailability, with RPC_MISC_ERROR). The same code with another message means that the block is still to
 * come, or that the disk fails.
 */
const BLOCK_PRUNED = { code: -1, words: "Block not available (pruned data)" } as const;
/** Errors by which a node says that it does not have a block. */
export const NO_BLOCK = [BLOCK_UNKNOWN, BLOCK_PRUNED] as const;

/** A non-capturing group: with a capturing one, the engine would keep a note for each byte of megabytes, until it throws. */
const rawBlockSchema = z.string().regex(/^(?:[0-9a-f]{2})+$/);

export interface RawBlock {
  /** hash of the parent block, in the usual (reversed) notation; zeros for the first block */
  readonly parent: string;
  /** the time that its miner gave, Unix seconds */
  readonly time: bigint;
  readonly transactions: readonly BareTransaction[];
}

function* transactionsIn(reader: ByteReader, count: number): Generator<BareTransaction> {
  for (let at = 0; at < count; at += 1) yield readNetworkTransaction(reader);
}

const blockIn = async (hex: string, turns: ReadingTurns): Promise<RawBlock | undefined> => {
  try {
    // Buffer is several times as fast as decoding megabytes of hex byte by byte
    const reader = new ByteReader(Buffer.from(hex, "hex"));
    reader.take(VERSION_BYTES);
    const parent = Buffer.from(reader.take(HASH_BYTES)).reverse().toString("hex");
    reader.take(HASH_BYTES);
    const time = BigInt(reader.uint32());
    reader.take(BEHIND_TIME_BYTES);
    const count = reader.compactSize();
    const transactions = await flatMapInTurns(transactionsIn(reader, count), (each) => [each], turns);
    reader.end();
    return { parent, time, transactions };
  } catch (error) {
    if (error instanceof UnreadableBytes) return undefined;
    throw error;
  }
};

/** A block, parsed from its bytes. @returns undefined if the node does not have the block, or has pruned it */
export const readRawBlock = async (rpc: BitcoinRpc, hash: string): Promise<Result<RawBlock | undefined>> => {
  const raw = await askBitcoind(rpc, rawBlockSchema, NO_BLOCK, "getblock", hash, 0);
  if (!raw.ok || raw.value === undefined) return raw.ok ? ok(undefined) : raw;
  const block = await blockIn(raw.value, rpc.turns);
  return block === undefined ? nodeAway(rpc.network, `its block ${hash} cannot be read`) : ok(block);
};
