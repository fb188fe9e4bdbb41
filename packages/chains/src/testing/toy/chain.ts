import { openToy } from "./sign.ts";
import { decodeToy, idOf } from "./transaction.ts";

/** Number of blocks, including itself and the head, after which a block is final. */
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

/** The outcome of an included transaction. */
export interface ToyInclusion {
  readonly block: ToyBlock;
  readonly fee: bigint;
  readonly succeeded: boolean;
}

const hashOf = (height: bigint): string => height.toString(16).padStart(64, "0");

/**
 * An in-memory chain whose time and blocks a test makes by hand. It includes transactions that both keys signed, within their
 * window.
 */
export class ToyChain {
  readonly #blocks: ToyBlock[];
  readonly #pool = new Map<string, Uint8Array>();
  readonly #included = new Map<string, ToyInclusion>();
  readonly #failing = new Set<string>();
  /** an id for each broadcast, repeated if sent again */
  readonly broadcasts: string[] = [];
  balance = 1_000_000n;
  /** whether the chain is unavailable: it accepts and answers nothing */
  isAway = false;
  /** whether it reports transactions as accepted, but loses them */
  losesAll = false;

  constructor(timeMs: number) {
    this.#blocks = [{ height: 0n, hash: hashOf(0n), parentHash: hashOf(0n), timeMs, ids: [] }];
  }

  get head(): ToyBlock {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error("a chain has a first block");
    return head;
  }

  /** The latest block that nothing undoes. */
  get final(): ToyBlock {
    return this.#blocks.at(-TOY_FINALITY) ?? this.#blocks[0] ?? this.head;
  }

  at(height: bigint): ToyBlock | undefined {
    return this.#blocks[Number(height)];
  }

  find(id: string): "waiting" | ToyInclusion | undefined {
    return this.#included.get(id) ?? (this.#pool.has(id) ? "waiting" : undefined);
  }

  /** @returns why it refuses the transaction; undefined when it accepts it */
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

  /** Makes the transaction with this id fail when it is included; it pays its fee. */
  failNext(id: string): void {
    this.#failing.add(id);
  }

  /** Makes blocks; the first includes all waiting transactions that are in their window. */
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
