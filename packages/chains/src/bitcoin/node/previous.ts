import { ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { UnreadableBytes } from "../wire/bytes.ts";
import { type BareTransaction, decodeTransaction, txidOf } from "../wire/transaction.ts";
import { askBitcoind, type BitcoinRpc } from "./rpc.ts";

/** Error code for an unknown transaction (RPC_INVALID_ADDRESS_OR_KEY). */
export const NO_TRANSACTION = -5;
/** Most transactions in the cache; they never change. */
const REMEMBERED_MAX = 512;

const hexSchema = z.string().regex(/^(?:[0-9a-f]{2})+$/);

/** Reads the bytes that a node gives for a txid. @returns undefined if they are not that transaction */
export const transactionCalled = (txid: string, hex: string): BareTransaction | undefined => {
  try {
    const transaction = decodeTransaction(hexToBytes(hex));
    return txidOf(transaction) === txid ? transaction : undefined;
  } catch (error) {
    if (error instanceof UnreadableBytes) return undefined;
    throw error;
  }
};

/** Reads transactions by id from the node and caches them. Their ids are recomputed, so that no node can invent one. */
export class PreviousTransactions {
  readonly #rpc: BitcoinRpc;
  readonly #known = new Map<string, BareTransaction>();

  constructor(rpc: BitcoinRpc) {
    this.#rpc = rpc;
  }

  /** @returns undefined if the node has no such transaction */
  async read(txid: string): Promise<Result<BareTransaction | undefined>> {
    const known = this.#known.get(txid);
    if (known !== undefined) return ok(known);
    const hex = await askBitcoind(this.#rpc, hexSchema, [NO_TRANSACTION], "getrawtransaction", txid, false);
    if (!hex.ok || hex.value === undefined) return hex.ok ? ok(undefined) : hex;
    const transaction = transactionCalled(txid, hex.value);
    if (transaction === undefined) {
      return nodeAway(this.#rpc.network, `what it gives for ${txid} is another transaction`);
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED_MAX && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(txid, transaction);
    return ok(transaction);
  }
}
