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
  /** number of blocks on top of it, including its own */
  readonly confirmations: bigint;
}

/** Scans for coins, one scan at a time, because a node refuses a second one meanwhile. */
export class CoinScanner {
  readonly #rpc: BitcoinRpc;
  #last: Promise<unknown> = Promise.resolve();

  constructor(rpc: BitcoinRpc) {
    this.#rpc = rpc;
  }

  /**
   * All coins of an address that are in blocks and can be spent in the next block, including coins that the pool
   * already spends.
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

/** An unspent output, as a node reports it. */
export interface UnspentOutput extends Unspent {
  /** zero if it is in the pool */
  readonly confirmations: bigint;
  readonly isCoinbase: boolean;
}

/** An unspent output; undefined if it is spent or does not exist. */
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
 * A coin with the transaction that created it, which proves its amount and script.
 *
 * @param own the script to which it must pay
 * @param finality confirmations until a block counts as final
 * @returns undefined if the pool spends it
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
  // a Taproot signature commits to the amounts of all coins itself, and needs no proof; but a coin that is not final
  // may disappear, and then the transaction that created it shows whether it can come back
  const needsProof = bitcoinScriptType(own) !== "P2TR" || confirmations < BigInt(finality);
  return ok({ outpoint, amount, previous: needsProof ? encodeTransaction(made.value) : undefined });
};
