import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/** Blocks in a row that are tried for a forgotten one: some blocks, such as empty ones, are never forgotten. */
const TRIED_IN_A_ROW = 8n;

/**
 * A node that keeps a fixed number of blocks forgets one more with each new block, while a verdict is awaited and later
 * blocks are read; allows for this many.
 */
const FORGOTTEN_MEANWHILE = 256n;

/** The bounds of the search for the newest block that a node has forgotten. */
interface Bounds {
  /** a forgotten block */
  readonly low: bigint;
  /** whether this search found the lower bound */
  readonly isLowFound: boolean;
  /** a block that the node shows, as it does all blocks between the earlier upper bounds */
  readonly high: bigint;
  /** distance below the upper bound of the next try, while no lower bound is found */
  readonly step: bigint;
}

/** The newest block that a node has forgotten. */
interface Newest {
  readonly height: bigint;
  /** how far behind the final block it was when it was found */
  readonly depth: bigint;
}

/** The next height to try; undefined at the end of the search. */
const nextTried = ({ low, isLowFound, high, step }: Bounds): bigint | undefined => {
  if (!isLowFound && high - step > low) return high - step;
  return high - low > 1n ? (low + high) / 2n : undefined;
};

/** Whether a node shows a block now. */
const isShownNow = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  height: bigint,
): Promise<Result<boolean>> => {
  const found = await arrivals(height, async () => new Set());
  if (found.ok) return ok(found.value !== undefined);
  // nodes do not forget blocks that are too large
  return found.problem.code === "BlockTooLarge" ? ok(true) : found;
};

/** Whether a node shows a block in one of several answers. */
const isShown = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  height: bigint,
): Promise<Result<boolean>> => {
  let shown = await isShownNow(arrivals, height);
  await isSaidAgain(async () => {
    if (shown.ok && !shown.value) shown = await isShownNow(arrivals, height);
    return shown.ok && !shown.value;
  });
  return shown;
};

/** The newest forgotten block of a few in a row, above a known one; undefined where the node shows all of them. */
const newestOfFew = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  from: bigint,
  low: bigint,
): Promise<Result<bigint | undefined>> => {
  for (let height = from; height > low && height > from - TRIED_IN_A_ROW; height -= 1n) {
    const shown = await isShown(arrivals, height);
    if (!shown.ok) return shown;
    if (!shown.value) return ok(height);
  }
  return ok(undefined);
};

/** Finds out which blocks a node has forgotten. Nodes forget the oldest blocks first. */
export class ForgottenBlocks {
  /** the newest block that the node has reported for minutes as forgotten */
  #stands: Newest | undefined;
  #bounds: Bounds | undefined;
  #newest: Newest | undefined;

  /** Whether the node has forgotten a block that it does not show now. */
  async isOne(
    arrivals: NonNullable<ChainNode["arrivals"]>,
    height: bigint,
    finalHeight: bigint,
  ): Promise<boolean> {
    if (this.#stands === undefined) return false;
    const { height: newest, depth } = this.#stands;
    if (height <= newest) return true;
    if (height > newest + FORGOTTEN_MEANWHILE || finalHeight - height < depth) return false;
    const shown = await isShown(arrivals, height);
    return shown.ok && !shown.value;
  }

  /** Confirms the newest block that was found: the node has reported it for minutes as forgotten. */
  stand(): void {
    this.#stands = this.#newest ?? this.#stands;
    this.#forgetSearch();
  }

  /** Forgets all, after the chain's blocks were replaced. */
  forget(): void {
    this.#stands = undefined;
    this.#forgetSearch();
  }

  #forgetSearch(): void {
    [this.#bounds, this.#newest] = [undefined, undefined];
  }

  /**
   * Finds the newest block that the node has forgotten; later calls query that block again. If the node fails during
   * the search, for example at its limit of calls, the next call continues there.
   * @param absent a block that the node does not show
   * @param present a newer one, which it must show
   * @returns undefined when it does not show that one either, or shows the block that was found as the newest;
   * ServiceUnavailable when it does not answer
   */
  async newest(
    arrivals: NonNullable<ChainNode["arrivals"]>,
    absent: bigint,
    present: bigint,
  ): Promise<Result<bigint | undefined>> {
    const known = this.#newest?.height ?? -1n;
    if (known >= absent) return this.#again(arrivals, absent, known, present);
    if (this.#bounds === undefined || this.#bounds.low < absent) {
      const last = await isShown(arrivals, present);
      if (!last.ok) return last;
      if (!last.value) return ok(undefined);
      this.#bounds = { low: absent, isLowFound: false, high: present, step: 1n };
    }
    for (;;) {
      const tried = nextTried(this.#bounds);
      if (tried === undefined) break;
      const found = await newestOfFew(arrivals, tried, this.#bounds.low);
      if (!found.ok) return found;
      const { value: low } = found;
      this.#bounds =
        low === undefined
          ? { ...this.#bounds, high: tried, step: 2n * this.#bounds.step }
          : { ...this.#bounds, low, isLowFound: true };
    }
    const { low: height } = this.#bounds;
    this.#newest = { height, depth: present - height };
    return ok(height);
  }

  async #again(
    arrivals: NonNullable<ChainNode["arrivals"]>,
    absent: bigint,
    newest: bigint,
    present: bigint,
  ): Promise<Result<bigint | undefined>> {
    const shown = await isShownNow(arrivals, newest);
    if (!shown.ok) return shown;
    if (!shown.value) return ok(newest);
    // another of several nodes shows it, so the newest block that all have forgotten is older
    const height = (absent + newest) / 2n;
    this.#newest = { height, depth: present - height };
    return ok(undefined);
  }
}
