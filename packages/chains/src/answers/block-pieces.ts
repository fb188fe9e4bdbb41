import { ok, type Result } from "@conclave/custody";
import { fewAtATime } from "./few-at-a-time.ts";
import { firstThatFits } from "./hurdle.ts";

/** Blocks whose pieces are kept: more are never read at the same time. */
const BLOCKS_KEPT = 8;

/**
 * The pieces that came of blocks which did not come whole, of one node. A node that allows few calls tells the pieces of a block over
 * several rounds: each round asks for those that are missing.
 */
export class BlockPieces<T> {
  readonly #blocks = new Map<string, Map<string, T>>();

  /** Whether a piece of the block came: the block did not come whole then. @param block as its node names it */
  hasSome(block: string): boolean {
    return (this.#blocks.get(block)?.size ?? 0) > 0;
  }

  /** A piece that came before. */
  known(block: string, id: string): T | undefined {
    return this.#blocks.get(block)?.get(id);
  }

  /** Keeps a piece for the next time that its block is asked for. @returns the piece */
  keep(block: string, id: string, piece: T): T {
    this.#of(block).set(id, piece);
    return piece;
  }

  /** Asks for a piece, unless it came before. */
  async piece(block: string, id: string, ask: () => Promise<Result<T>>): Promise<Result<T>> {
    const known = this.known(block, id);
    if (known !== undefined) return ok(known);
    const found = await ask();
    return found.ok ? ok(this.keep(block, id, found.value)) : found;
  }

  /**
   * Asks for the pieces that did not come before, a few at a time, as `fewAtATime` does.
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

  /** The block was read: it is asked for no more. */
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
 * A block as a whole, or in pieces where that does not fit. Where pieces came before, they are asked for first: a whole that did not fit
 * mostly does not fit again.
 * @param holdsBlock whether an answer holds the block: of two nodes behind one address one may lack it, and the pieces that came of the other
 *   one are kept then
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
