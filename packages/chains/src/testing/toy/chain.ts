import { openToy } from "./sign.ts";
import { decodeToy, idOf } from "./transaction.ts";

/** Blocks from a block to the head, both included, from which on it is final. */
export const TOY_FINALITY = 2;
const BLOCK_MS = 1_000;

export interface ToyBlock {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix milliseconds */
  readonly timeMs: number;
  readonly ids: readonly string[];
}

/** The outcome of a transaction in its block. */
export interface ToyInclusion {
  readonly block: ToyBlock;
  readonly fee: bigint;
  readonly succeeded: boolean;
}

const hashOf = (height: bigint): string => height.toString(16).padStart(64, "0");

/** A chain in memory, whose time and blocks a test makes by hand. It takes what is signed by both keys, in its window. */
export class ToyChain {
  readonly #blocks: ToyBlock[];
  readonly #pool = new Map<string, Uint8Array>();
  readonly #included = new Map<string, ToyInclusion>();
  readonly #failing = new Set<string>();
  /** each id once for each broadcast */
  readonly broadcasts: string[] = [];
  balance = 1_000_000n;
  /** whether the chain takes nothing and says nothing */
  isAway = false;
  /** whether it says that it takes a transaction and loses it */
  losesAll = false;

  constructor(timeMs: number) {
    this.#blocks = [{ height: 0n, hash: hashOf(0n), parentHash: hashOf(0n), timeMs, ids: [] }];
  }

  get head(): ToyBlock {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error("a chain has a first block");
    return head;
  }

  /** The last block that nothing undoes. */
  get final(): ToyBlock {
    return this.#blocks.at(-TOY_FINALITY) ?? this.#blocks[0] ?? this.head;
  }

  at(height: bigint): ToyBlock | undefined {
    return this.#blocks[Number(height)];
  }

  find(id: string): "waiting" | ToyInclusion | undefined {
    return this.#included.get(id) ?? (this.#pool.has(id) ? "waiting" : undefined);
  }

  /** @returns why it is not taken; undefined when it is */
  take(signed: Uint8Array): "signatures" | "expired" | "included" | undefined {
    const unsigned = openToy(signed);
    if (unsigned === undefined) return "signatures";
    const decoded = decodeToy(unsigned);
    if (!decoded.ok) return "signatures";
    const id = idOf(unsigned);
    if (this.#included.has(id)) return "included";
    if (this.head.timeMs >= decoded.value.deadlineMs) return "expired";
    this.broadcasts.push(id);
    if (!this.losesAll) this.#pool.set(id, unsigned);
    return undefined;
  }

  /** From now on, the transaction that is included with this id is undone there, and pays its fee. */
  failNext(id: string): void {
    this.#failing.add(id);
  }

  /** Makes blocks of what waits: the first takes all that is in its window. */
  mine(blocks = 1, passMs = BLOCK_MS): void {
    for (let made = 0; made < blocks; made += 1) this.#mineOne(passMs);
  }

  #mineOne(passMs: number): void {
    const { height, hash: parentHash, timeMs: before } = this.head;
    const timeMs = before + passMs;
    const landing = [...this.#pool].flatMap(([id, unsigned]) => {
      const decoded = decodeToy(unsigned);
      return decoded.ok && timeMs < decoded.value.deadlineMs ? [{ id, fee: BigInt(decoded.value.fee) }] : [];
    });
    const ids = landing.map(({ id }) => id);
    const block = { height: height + 1n, hash: hashOf(height + 1n), parentHash, timeMs, ids };
    this.#blocks.push(block);
    for (const { id, fee } of landing)
      this.#included.set(id, { block, fee, succeeded: !this.#failing.has(id) });
    this.#pool.clear();
  }
}
