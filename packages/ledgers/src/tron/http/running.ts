import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerHost } from "../../host.ts";
import type { JavaTronEffect, JavaTronEvent } from "../advance.ts";
import type { JavaTronBlock } from "../block.ts";
import { makeJavaTronBlock } from "../mine.ts";
import type { JavaTronRun, RunContract } from "../rules/applied.ts";
import type { JavaTronState } from "../state.ts";
import { signJavaTronId } from "../transaction/signature.ts";

type JavaTronHost = LedgerHost<JavaTronState, JavaTronEvent, JavaTronEffect>;

/**
 * A running ledger, as the routes see it. Changes are serialised: while the contracts of a block run, nothing else
 * happens.
 */
export class JavaTronNode {
  readonly host: JavaTronHost;
  readonly runContract: RunContract;
  #last: Promise<unknown> = Promise.resolve();
  #blocksUnderWay = 0;
  readonly #signatures = new WeakMap<JavaTronBlock, string>();

  constructor(host: JavaTronHost, runContract: RunContract) {
    this.host = host;
    this.runContract = runContract;
  }

  /** The signature of a block's witness, in hex. */
  witnessSignature(block: JavaTronBlock): string {
    const known = this.#signatures.get(block);
    if (known !== undefined) return known;
    const { secretKey } = this.host.state.genesis.witness;
    const signature = bytesToHex(signJavaTronId(block.digest, secretKey));
    this.#signatures.set(block, signature);
    return signature;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  apply(event: Exclude<JavaTronEvent, { readonly kind: "mine" }>): Promise<readonly JavaTronEffect[]> {
    return this.#inTurn(async () => this.host.apply(event));
  }

  /** Makes one block of the waiting transactions. */
  mine(): Promise<void> {
    return this.#inTurn(async () => {
      const time = this.host.now;
      const runs: JavaTronRun[] = [];
      const making = makeJavaTronBlock(this.host.state, time);
      for (let step = making.next(); step.done !== true; ) {
        const run = await this.runContract(step.value);
        runs.push(run);
        step = making.next(run);
      }
      this.host.apply({ kind: "mine", time, runs });
    });
  }

  /** Makes a block, unless one is already being made by the clock. */
  mineByClock(): void {
    if (this.#blocksUnderWay > 0) return;
    this.#blocksUnderWay += 1;
    void this.mine().finally(() => {
      this.#blocksUnderWay -= 1;
    });
  }
}
