import type { World } from "@conclave/custody";
import { getAddress } from "viem/utils";
import type { ChainNode } from "../../chain.ts";
import type { EvmNetwork } from "../../evm/network.ts";
import { LedgerHistory } from "./history.ts";
import { MemoryLine } from "./line.ts";
import { memoryNode } from "./node.ts";

/** Number of latest blocks that may be undone; the block below them is final. */
const FINAL_DEPTH = 2;

export interface MemoryChainOptions {
  readonly world: World;
  readonly chainId: number;
  /** block time in milliseconds, by the world's clock; if absent, a test makes every block */
  readonly blockMs?: number;
  /** blocks above the final one; 2 by default */
  readonly finalDepth?: number;
}

/** A transaction in a block. */
export interface LandedHash {
  readonly hash: string;
  /** undefined: deploys a contract */
  readonly to: string | undefined;
}

/** An in-memory EVM chain without contracts: only its world's timer, its clients and these controls change it. */
export interface MemoryChain {
  /** A client of the chain's node. @param line its own connection; by default the chain's `line` */
  readonly connect: (entry: EvmNetwork, line?: MemoryLine) => ChainNode<EvmNetwork>;
  /** A client of a node that is behind: it shows what the chain's node showed so long ago, and passes submissions on at once. */
  readonly connectBehind: (entry: EvmNetwork, byMs: number) => ChainNode<EvmNetwork>;
  /** the connection that all clients share unless they have their own */
  readonly line: MemoryLine;
  readonly openLine: () => MemoryLine;
  readonly height: () => bigint;
  /** hashes of waiting transactions, in order of arrival */
  readonly waiting: () => readonly string[];
  /** the transactions in blocks, lowest block first */
  readonly landed: () => readonly LandedHash[];
  readonly fund: (address: string, wei: bigint) => void;
  /** Makes this many blocks, 1 by default; the first includes all transactions that can land. */
  readonly mine: (blocks?: number) => void;
  /** wei a gas: a transaction that offers less keeps waiting */
  readonly setBaseFee: (wei: bigint) => void;
  /** wei a gas: the node refuses lower tips, and suggests at least this; zero at first */
  readonly setLeastTip: (wei: bigint) => void;
  /**
   * Replaces the latest blocks by a branch of empty blocks that is longer by one.
   * @param keeps whether their transactions wait again, as by default
   * @throws RangeError when a final block would be undone
   */
  readonly reorganise: (depth: number, keeps?: boolean) => void;
  /** Forgets waiting transactions. @param hash of one; by default all */
  readonly drop: (hash?: string) => void;
  /** Makes the transaction with this hash fail when it lands; it pays its fee. */
  readonly undo: (hash: string) => void;
  /** Refuses the next `count` submissions with these words; later ones are accepted. */
  readonly refuse: (count: number, words: string) => void;
  /** Reports the next submissions as accepted, but forgets them at once. */
  readonly swallow: (count: number) => void;
  /** Processes the next submissions normally, but their replies are lost. */
  readonly loseReplies: (count: number) => void;
  /** Has no block made by the clock, or ends that. */
  readonly hold: (isHeld: boolean) => void;
  /** Stops the clock from making blocks. */
  readonly stop: () => void;
}

/** The scripted faults of the next submissions. */
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

  submit(signed: Uint8Array, history: LedgerHistory): string | undefined {
    if (this.#refusals.left > 0) {
      this.#refusals.left -= 1;
      return this.#refusals.words;
    }
    const { newest } = history;
    const before = new Set(newest.pool.map(({ hash }) => hash));
    const said = history.change((each) => each.take(signed));
    if (said === undefined && this.#swallowed > 0) {
      this.#swallowed -= 1;
      for (const { hash } of newest.pool) if (!before.has(hash)) history.change((each) => each.drop(hash));
    }
    if (this.#lost === 0) return said;
    this.#lost -= 1;
    return "silence";
  }
}

/** Opens a chain at its first block. It reads no clock and has no randomness: the same calls give the same chain. */
export const openMemoryChain = (options: MemoryChainOptions): MemoryChain => {
  const { world, chainId, blockMs, finalDepth = FINAL_DEPTH } = options;
  const history = new LedgerHistory(chainId, world);
  const ledger = history.newest;
  const faults = new SubmissionFaults();
  const shared = new MemoryLine(world);
  let isHeld = false;
  const mineUnlessHeld = (): void => {
    if (!isHeld) history.change((each) => each.mine());
  };
  const timer = blockMs === undefined ? undefined : world.every(blockMs, mineUnlessHeld);
  const submit = (signed: Uint8Array) => faults.submit(signed, history);
  return {
    connect: (entry, line = shared) => memoryNode({ entry, ledger, line, finalDepth, submit }),
    connectBehind: (entry, byMs) =>
      memoryNode({ entry, ...history.behind(byMs, shared), finalDepth, submit }),
    line: shared,
    openLine: () => new MemoryLine(world),
    height: () => ledger.head.height,
    waiting: () => ledger.pool.map(({ hash }) => hash),
    landed: () => ledger.landed.map(({ transaction: { hash, to } }) => ({ hash, to })),
    fund: (address, wei) => history.change((each) => each.fund(getAddress(address), wei)),
    mine: (blocks = 1) => {
      for (let made = 0; made < blocks; made += 1) history.change((each) => each.mine());
    },
    setBaseFee: (wei) => {
      history.change((each) => {
        each.baseFee = wei;
      });
    },
    setLeastTip: (wei) => {
      history.change((each) => {
        each.leastTip = wei;
      });
    },
    reorganise: (depth, keeps = true) => {
      if (depth < 1 || depth > finalDepth || BigInt(depth) > ledger.head.height) {
        throw new RangeError(`the last ${finalDepth} blocks may be undone, and no more`);
      }
      history.change((each) => each.reorganise(depth, keeps));
    },
    drop: (hash) => history.change((each) => each.drop(hash)),
    undo: (hash) => history.change((each) => each.undo(hash)),
    refuse: (count, words) => faults.refuse(count, words),
    swallow: (count) => faults.swallow(count),
    loseReplies: (count) => faults.loseReplies(count),
    hold: (holds) => {
      isHeld = holds;
    },
    stop: () => timer?.stop(),
  };
};
