import { ok, type Result } from "@conclave/custody";
import { nodeAway } from "../../answers/node-away.ts";
import type { BitcoinNetwork } from "../network.ts";
import { type Outpoint, txidOf } from "../wire/transaction.ts";
import { finalHashAt } from "./blocks.ts";
import { readRawBlock } from "./raw-block.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** Blocks that one look reads; the next look continues. */
const BLOCKS_A_LOOK = 64;
/** Most coins whose progress is remembered. */
const REMEMBERED_MAX = 1_024;

/** The transaction that has spent a coin for good. */
export interface Spender {
  readonly txid: string;
  readonly height: bigint;
}

/** The range of blocks that were read for a coin; all are final, so nothing can undo them. */
interface Reading {
  readonly low: bigint;
  readonly high: bigint;
  readonly spender: Spender | undefined;
}

/**
 * Finds the transaction that spent a coin. Nodes have no index for that, so final blocks are read, from the last one
 * back, a few in each look: a coin that is spent while a request is under way was spent recently.
 */
export class Spenders {
  readonly #network: Pick<BitcoinNetwork, "finality">;
  readonly #rpc: BitcoinRpc;
  readonly #readings = new Map<string, Reading>();

  constructor(network: Pick<BitcoinNetwork, "finality">, rpc: BitcoinRpc) {
    [this.#network, this.#rpc] = [network, rpc];
  }

  /**
   * @param first the first block in which the coin may have been spent
   * @param last the highest final block
   * @returns undefined if none of these blocks spends it; ServiceUnavailable while they are not all read
   */
  async of(coin: Outpoint, first: bigint, last: bigint): Promise<Result<Spender | undefined>> {
    const name = `${coin.txid}:${coin.index}`;
    let reading = this.#readings.get(name) ?? { low: last + 1n, high: last, spender: undefined };
    for (let looked = 0; looked < BLOCKS_A_LOOK && reading.spender === undefined; looked += 1) {
      const next = reading.high < last ? reading.high + 1n : reading.low - 1n;
      if (next < first) return ok(undefined);
      const spender = await this.#spenderIn(next, coin);
      if (!spender.ok) return spender;
      const [low, high] = next > reading.high ? [reading.low, next] : [next, reading.high];
      reading = { low, high, spender: spender.value };
      this.#remember(name, reading);
    }
    return reading.spender === undefined
      ? nodeAway(this.#rpc.network, `its blocks are still being read for the coin ${name}`)
      : ok(reading.spender);
  }

  #remember(name: string, reading: Reading): void {
    this.#readings.delete(name);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size >= REMEMBERED_MAX && oldest !== undefined) this.#readings.delete(oldest);
    this.#readings.set(name, reading);
  }

  async #spenderIn(height: bigint, coin: Outpoint): Promise<Result<Spender | undefined>> {
    // a final block is required: an orphan from a lagging node proves no death (INV-4)
    const hash = await finalHashAt(this.#network, this.#rpc, height);
    if (!hash.ok) return hash;
    const block = await readRawBlock(this.#rpc, hash.value);
    if (!block.ok) return block;
    if (block.value === undefined) return nodeAway(this.#rpc.network, `it has no block ${hash.value}`);
    const found = block.value.transactions.find(({ inputs }) =>
      inputs.some(({ outpoint }) => outpoint.txid === coin.txid && outpoint.index === coin.index),
    );
    return ok(found === undefined ? undefined : { txid: txidOf(found), height });
  }
}
