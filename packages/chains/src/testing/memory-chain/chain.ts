import type { World } from "@conclave/custody";
import { getAddress } from "viem/utils";
import type { ChainNode } from "../../chain.ts";
import type { EvmNetwork } from "../../evm/network.ts";
import { MemoryLedger } from "./ledger.ts";
import { MemoryLine } from "./line.ts";
import { memoryNode } from "./node.ts";

/** The last blocks may be undone, so many; the one below is final. */
const FINAL_DEPTH = 2;

export interface MemoryChainOptions {
  readonly world: World;
  readonly chainId: number;
  /** milliseconds from block to block by the world's clock; left out, blocks are made by hand alone */
  readonly blockMs?: number;
  /** blocks above the final one; 2 where it is left out */
  readonly finalDepth?: number;
}

/** An EVM chain without contracts, in memory: nothing happens on it but by its world's timer, its clients, and these controls. */
export interface MemoryChain {
  /** A client of the chain's node. @param line its own line to it; `line` of the chain where it is left out */
  readonly connect: (entry: EvmNetwork, line?: MemoryLine) => ChainNode<EvmNetwork>;
  /** between the node and all clients that have no line of their own */
  readonly line: MemoryLine;
  readonly openLine: () => MemoryLine;
  readonly height: () => bigint;
  /** hashes of what waits, in the order of its coming */
  readonly waiting: () => readonly string[];
  readonly fund: (address: string, wei: bigint) => void;
  /** Makes so many blocks, 1 unless it is said; the first takes what can land. */
  readonly mine: (blocks?: number) => void;
  /** wei a gas: a transaction that offers less waits */
  readonly setBaseFee: (wei: bigint) => void;
  /** wei a gas: the node refuses what tips less, and suggests no less; zero at first */
  readonly setLeastTip: (wei: bigint) => void;
  /**
   * A branch of empty blocks, longer by one, takes the place of the last ones.
   * @param keeps whether what they held waits again, as it does unless false is said
   * @throws RangeError when a final block would be undone
   */
  readonly reorganise: (depth: number, keeps?: boolean) => void;
  /** Forgets waiting transactions. @param hash of one; all where none is said */
  readonly drop: (hash?: string) => void;
  /** Undoes the transaction with this hash when it lands; it pays its fee. */
  readonly undo: (hash: string) => void;
  /** The next submissions are refused in these words, so many, and what comes after is taken. */
  readonly refuse: (count: number, words: string) => void;
  /** The next submissions are taken in words, and forgotten at once. */
  readonly swallow: (count: number) => void;
  /** The next submissions are treated as ever, and nobody hears the answer. */
  readonly loseReplies: (count: number) => void;
  /** The clock makes no more blocks. */
  readonly stop: () => void;
}

/** Sets the outcomes of the next submissions. */
class SubmissionFaults {
  #refusals = { left: 0, words: "" };
  #swallowed = 0;
  #lost = 0;

  refuse(left: number, words: string): void {
    this.#refusals = { left, words };
  }

  swallow(count: number): void {
    this.#swallowed = count;
  }

  loseReplies(count: number): void {
    this.#lost = count;
  }

  submit(signed: Uint8Array, ledger: MemoryLedger): string | undefined {
    if (this.#refusals.left > 0) {
      this.#refusals.left -= 1;
      return this.#refusals.words;
    }
    const before = new Set(ledger.pool.map(({ hash }) => hash));
    const said = ledger.take(signed);
    if (said === undefined && this.#swallowed > 0) {
      this.#swallowed -= 1;
      for (const { hash } of ledger.pool) if (!before.has(hash)) ledger.drop(hash);
    }
    if (this.#lost === 0) return said;
    this.#lost -= 1;
    return "silence";
  }
}

/** Opens a chain at its first block. It reads no clock and draws no chance: one history of calls gives one chain. */
export const openMemoryChain = (options: MemoryChainOptions): MemoryChain => {
  const { world, chainId, blockMs, finalDepth = FINAL_DEPTH } = options;
  const ledger = new MemoryLedger(chainId);
  const faults = new SubmissionFaults();
  const shared = new MemoryLine(world);
  const timer = blockMs === undefined ? undefined : world.every(blockMs, () => ledger.mine());
  const submit = (signed: Uint8Array) => faults.submit(signed, ledger);
  return {
    connect: (entry, line = shared) => memoryNode({ entry, ledger, line, finalDepth, submit }),
    line: shared,
    openLine: () => new MemoryLine(world),
    height: () => ledger.head.height,
    waiting: () => ledger.pool.map(({ hash }) => hash),
    fund: (address, wei) => ledger.fund(getAddress(address), wei),
    mine: (blocks = 1) => {
      for (let made = 0; made < blocks; made += 1) ledger.mine();
    },
    setBaseFee: (wei) => {
      ledger.baseFee = wei;
    },
    setLeastTip: (wei) => {
      ledger.leastTip = wei;
    },
    reorganise: (depth, keeps = true) => {
      if (depth < 1 || depth > finalDepth || BigInt(depth) > ledger.head.height) {
        throw new RangeError(`the last ${finalDepth} blocks may be undone, and no more`);
      }
      ledger.reorganise(depth, keeps);
    },
    drop: (hash) => ledger.drop(hash),
    undo: (hash) => ledger.undo(hash),
    refuse: (count, words) => faults.refuse(count, words),
    swallow: (count) => faults.swallow(count),
    loseReplies: (count) => faults.loseReplies(count),
    stop: () => timer?.stop(),
  };
};
