import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { BitcoinCoin, Unspent } from "../coins/coin.ts";
import { MATURITY_BLOCKS } from "../relay-rules.ts";
import { bitcoinScriptType } from "../rules/script.ts";
import { encodeTransaction, type Outpoint } from "../wire/transaction.ts";
import { bitcoins } from "./amounts.ts";
import { hashSchema } from "./blocks.ts";
import type { PreviousTransactions } from "./previous.ts";
import { askBitcoind, type BitcoinRpc, demandBitcoind } from "./rpc.ts";

const index = z.bigint().nonnegative().max(0xffff_ffffn);
const scanSchema = z.object({
  success: z.literal(true),
  height: z.bigint(),
  unspents: z.array(
    z.object({
      txid: hashSchema,
      vout: index,
      amount: bitcoins,
      height: z.bigint(),
      coinbase: z.boolean().optional(),
    }),
  ),
});
const outputSchema = z
  .object({
    value: bitcoins,
    scriptPubKey: z.object({ hex: z.string() }),
    confirmations: z.bigint(),
    coinbase: z.boolean(),
  })
  .nullable();

/** A coin in a block. */
export interface ScannedCoin extends Unspent {
  /** how many blocks have been built on it, with its own */
  readonly confirmations: bigint;
}

/** A node scans for one caller at a time, and refuses all others: ours wait for one another. */
export class CoinScanner {
  readonly #rpc: BitcoinRpc;
  #last: Promise<unknown> = Promise.resolve();

  constructor(rpc: BitcoinRpc) {
    this.#rpc = rpc;
  }

  /**
   * All coins of an address that are in blocks and can be spent in the next one; coins that the pool spends
   * are still among them.
   */
  scan(address: string): Promise<Result<readonly ScannedCoin[]>> {
    const next = this.#last.then(() => this.#scan(address));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #scan(address: string): Promise<Result<readonly ScannedCoin[]>> {
    const found = await demandBitcoind(this.#rpc, scanSchema, "scantxoutset", "start", [`addr(${address})`]);
    if (!found.ok) return found;
    const { height: tip, unspents } = found.value;
    return ok(
      unspents
        .filter(({ coinbase, height }) => coinbase !== true || tip + 1n - height >= MATURITY_BLOCKS)
        .map(({ txid, vout, amount, height }) => ({
          outpoint: { txid, index: Number(vout) },
          amount,
          confirmations: tip + 1n - height,
        })),
    );
  }
}

/** An output that nobody has spent, as a node tells it. */
export interface UnspentOutput extends Unspent {
  /** zero in the pool */
  readonly confirmations: bigint;
  readonly isCoinbase: boolean;
}

/** An output that nobody has spent; undefined when it is spent, or there is none. */
export const unspentOutput = async (
  rpc: BitcoinRpc,
  { txid, index: at }: Outpoint,
  withPool: boolean,
): Promise<Result<UnspentOutput | undefined>> => {
  const found = await askBitcoind(rpc, outputSchema, [], "gettxout", txid, at, withPool);
  if (!found.ok) return found;
  if (found.value === undefined || found.value === null) return ok(undefined);
  const { value: amount, confirmations, coinbase: isCoinbase } = found.value;
  return ok({ outpoint: { txid, index: at }, amount, confirmations, isCoinbase });
};

/**
 * A coin with the transaction that made it, which proves what it holds.
 * @param own the script that it must pay to
 * @param finality confirmations until a block counts as final
 * @returns undefined when the pool spends it
 */
export const provedCoin = async (
  rpc: BitcoinRpc,
  previous: PreviousTransactions,
  own: Uint8Array,
  finality: number,
  { outpoint, amount, confirmations }: ScannedCoin,
): Promise<Result<BitcoinCoin | undefined>> => {
  const unspent = await unspentOutput(rpc, outpoint, true);
  if (!unspent.ok || unspent.value === undefined) return unspent.ok ? ok(undefined) : unspent;
  const made = await previous.read(outpoint.txid);
  if (!made.ok) return made;
  const output = made.value?.outputs[outpoint.index];
  if (made.value === undefined || output?.amount !== amount || !equalBytes(output.script, own)) {
    return nodeAway(rpc.network, `it names a coin of ${outpoint.txid} that there is not`);
  }
  // a Taproot signature commits to the amounts of all coins by itself; but what is not final may go away, and then its maker
  // tells whether it can come back
  const needsProof = bitcoinScriptType(own) !== "P2TR" || confirmations < BigInt(finality);
  return ok({ outpoint, amount, previous: needsProof ? encodeTransaction(made.value) : undefined });
};
