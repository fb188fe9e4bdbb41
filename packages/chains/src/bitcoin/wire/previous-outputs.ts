import { equalBytes } from "@noble/curves/utils.js";
import { UnreadableBytes } from "./bytes.ts";
import {
  type BareOutput,
  type BareTransaction,
  decodeTransaction,
  type Outpoint,
  txidOfBytes,
  withoutWitnesses,
} from "./transaction.ts";

interface Known {
  readonly given: Uint8Array;
  readonly transaction: BareTransaction;
  /** without witnesses */
  readonly bytes: Uint8Array;
}

/** The previous transactions of a PSBT, each decoded once, however many inputs spend its outputs. */
export class PreviousOutputs {
  readonly #known = new Map<string, Known>();

  /**
   * @param txid the id that an input spends
   * @throws UnreadableBytes when the bytes are another transaction, or none
   */
  learn(txid: string, given: Uint8Array, where: string): void {
    const known = this.#known.get(txid);
    if (known !== undefined && equalBytes(known.given, given)) return;
    const transaction = decodeTransaction(given);
    const bytes = withoutWitnesses(given, transaction);
    if (txidOfBytes(bytes) !== txid) {
      throw new UnreadableBytes(`the previous transaction of ${where} is not the one that it spends`);
    }
    this.#known.set(txid, { given, transaction, bytes });
  }

  /**
   * The output of an outpoint; undefined if its transaction has not been learned. @throws UnreadableBytes when the transaction
   * has no such output
   */
  coin({ txid, index }: Outpoint, where: string): BareOutput | undefined {
    const known = this.#known.get(txid);
    if (known === undefined) return undefined;
    const coin = known.transaction.outputs[index];
    if (coin === undefined) throw new UnreadableBytes(`${where} spends an output that there is not`);
    return coin;
  }

  /** The transaction without its witnesses; undefined if it has not been learned. */
  bytesOf(txid: string): Uint8Array | undefined {
    return this.#known.get(txid)?.bytes;
  }
}
