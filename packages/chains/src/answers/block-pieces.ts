import { ok, type Result } from "@conclave/custody";
import { fewAtATime } from "./few-at-a-time.ts";
import { firstThatFits } from "./hurdle.ts";

/** Most blocks whose pieces are kept; more are never read at the same time. */
const BLOCKS_KEPT = 8;

/**
 * Pieces, kept per node, of blocks that the node did not answer as a whole. A rate-limited node answers the pieces of a block
 * over several rounds: each round asks for the missing ones.
 */
export class BlockPieces<T> {
  readonly #blocks = new Map<string, Map<string, T>>();

  /** Whether pieces of the block are kept, which means that it did not come as a whole. @param block as its node names it */
  hasSome(block: string): boolean {
    return (this.#blocks.get(block)?.size ?? 0) > 0;
  }

  /** A kept piece. */
  known(block: string, id: string): T | undefined {
    return this.#blocks.get(block)?.get(id);
  }

  /** Keeps a piece for the next read of its block. @returns the piece */
  keep(block: string, id: string, piece: T): T {
    this.#of(block).set(id, piece);
    return piece;
  }

  /** Asks for a piece unless it is kept already. */
  async piece(block: string, id: string, ask: () => Promise<Result<T>>): Promise<Result<T>> {
    const known = this.known(block, id);
    if (known !== undefined) return ok(known);
    const found = await ask();
    return found.ok ? ok(this.keep(block, id, found.value)) : found;
  }

  /**
   * Asks for the pieces that are not kept yet, a few at a time, as `fewAtATime` does.
   * @returns the first failure, or all pieces in their order
   */
  pieces<Piece>(
    block: string,
    pieces: readonly Piece[],
    idOf: (piece: Piece) => string,
    ask: (piece: Piece) => Promise<Result<T>>,
    atOnce?: number,
    atOnceMost?: number,
  ): Promise<Result<readonly T[]>> {
    const read = (piece: Piece) => this.piece(block, idOf(piece), () => ask(piece));
    return fewAtATime(pieces, read, atOnce, atOnceMost);
  }

  /** Drops the pieces of a block that was read. */
  forget(block: string): void {
    this.#blocks.delete(block);
  }

  #of(block: string): Map<string, T> {
    const pieces = this.#blocks.get(block) ?? new Map<string, T>();
    this.#blocks.delete(block);
    this.#blocks.set(block, pieces);
    const { value: oldest } = this.#blocks.keys().next();
    if (this.#blocks.size > BLOCKS_KEPT && oldest !== undefined) this.#blocks.delete(oldest);
    return pieces;
  }
}

/**
 * Reads a block as a whole, or in pieces if the whole meets a hurdle. If pieces are kept, it asks for pieces first: the whole
 * would probably fail again.
 * @param holdsBlock whether an answer holds the block. Of two nodes behind one address one may lack it; the pieces from the
 * other node are then kept
 */
export const wholeOrPieces = async <T>(
  pieces: BlockPieces<unknown>,
  block: string,
  whole: () => Promise<Result<T>>,
  inPieces: () => Promise<Result<T>>,
  holdsBlock: (found: T) => boolean,
): Promise<Result<T>> => {
  const before = pieces.hasSome(block) ? await inPieces() : undefined;
  const found = before?.ok === true ? before : await firstThatFits(whole, async () => before ?? inPieces());
  if (found.ok && holdsBlock(found.value)) pieces.forget(block);
  return found;
};
