import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/** Of some blocks a node tells for ever, as of those without transactions: so many in a row are asked for one that it has forgotten. */
const TRIED_IN_A_ROW = 8n;

/** A node that keeps what so many blocks did forgets one more with each new block: while a verdict is waited for, and blocks behind it are read. */
const FORGOTTEN_MEANWHILE = 256n;

/** Between these lies the newest block that a node has forgotten. */
interface Bounds {
  /** one that it has forgotten */
  readonly low: bigint;
  /** whether the low one was found by this search */
  readonly isLowFound: boolean;
  /** one of which it tells, with those before it */
  readonly high: bigint;
  /** how far below the high one the next is tried, while no low one was found */
  readonly step: bigint;
}

/** The newest block that a node has forgotten. */
interface Newest {
  readonly height: bigint;
  /** how far behind the final block it lay when it was found */
  readonly depth: bigint;
}

/** Where the search asks next; undefined at its end. */
const nextTried = ({ low, isLowFound, high, step }: Bounds): bigint | undefined => {
  if (!isLowFound && high - step > low) return high - step;
  return high - low > 1n ? (low + high) / 2n : undefined;
};

/** Whether a node returns a block now. */
const isShownNow = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  height: bigint,
): Promise<Result<boolean>> => {
  const found = await arrivals(height, async () => new Set());
  if (found.ok) return ok(found.value !== undefined);
  // nobody forgets a block that is too large
  return found.problem.code === "BlockTooLarge" ? ok(true) : found;
};

/** Whether a node returns a block in one of several answers. */
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

/** The newest forgotten block of a few in a row, above a known one; undefined where the node tells of all of them. */
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

/** Finds out which blocks a node has forgotten, for a watch: nodes forget from the oldest on. */
export class ForgottenBlocks {
  /** the newest one of which the node said so for minutes */
  #stands: Newest | undefined;
  #bounds: Bounds | undefined;
  #newest: Newest | undefined;

  /** Whether the node, which does not tell a block now, has forgotten it. */
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

  /** The node has said for minutes that it has forgotten the newest one that was found. */
  stand(): void {
    this.#stands = this.#newest ?? this.#stands;
    this.#forgetSearch();
  }

  /** The chain's blocks are others now. */
  forget(): void {
    this.#stands = undefined;
    this.#forgetSearch();
  }

  #forgetSearch(): void {
    [this.#bounds, this.#newest] = [undefined, undefined];
  }

  /**
   * Finds the newest block that the node has forgotten, and asks for that one again each time after. A node that fails in the search, as at
   * its limit of calls, is asked on from there.
   * @param absent a block of which the node tells nothing
   * @param present a newer one, of which it must tell
   * @returns undefined when it tells nothing of that one either, or tells of the block that was the newest; ServiceUnavailable when it does not answer
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
    // another one of several nodes tells of it: the newest one that all have forgotten is older
    const height = (absent + newest) / 2n;
    this.#newest = { height, depth: present - height };
    return ok(undefined);
  }
}
