import { ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { ByteReader, UnreadableBytes } from "../wire/bytes.ts";
import { type BareTransaction, readNetworkTransaction } from "../wire/transaction.ts";
import { askBitcoind, type BitcoinRpc, bitcoindAway } from "./rpc.ts";

/** version, parent, root, time, bits, nonce */
const HEADER_BYTES = 80;
const BLOCK_UNKNOWN = -5;

const rawBlockSchema = z.string().regex(/^([0-9a-f]{2})+$/);

const transactionsIn = (hex: string): readonly BareTransaction[] | undefined => {
  try {
    const reader = new ByteReader(hexToBytes(hex));
    reader.take(HEADER_BYTES);
    const count = reader.compactSize();
    const transactions: BareTransaction[] = [];
    for (let at = 0; at < count; at += 1) transactions.push(readNetworkTransaction(reader));
    reader.end();
    return transactions;
  } catch (error) {
    if (error instanceof UnreadableBytes) return undefined;
    throw error;
  }
};

/** The transactions of a block, read from its bytes. @returns undefined when the node has no such block */
export const transactionsOfBlock = async (
  rpc: BitcoinRpc,
  hash: string,
): Promise<Result<readonly BareTransaction[] | undefined>> => {
  const raw = await askBitcoind(rpc, rawBlockSchema, [BLOCK_UNKNOWN], "getblock", hash, 0);
  if (!raw.ok || raw.value === undefined) return raw.ok ? ok(undefined) : raw;
  const transactions = transactionsIn(raw.value);
  return transactions === undefined
    ? bitcoindAway(rpc.network, `its block ${hash} cannot be read`)
    : ok(transactions);
};
