import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/** Between these lies the first block of which a node still tells. */
interface Bounds {
  /** a block of which the node tells nothing */
  readonly low: bigint;
  /** one of which it tells; undefined where none was found yet but the last one */
  readonly high: bigint | undefined;
  /** how far above the low one the next is tried, while there is no high one */
  readonly step: bigint;
}

/** Bounds that were found of one search. A node that fails in the middle of it, as at its limit of calls, is asked on from there. */
export class FirstKnownSearch {
  #absent: bigint | undefined;
  #bounds: Bounds | undefined;

  /** The bounds of the search from an absent block on. */
  of(absent: bigint): Bounds {
    const kept = this.#absent === absent ? this.#bounds : undefined;
    return kept ?? { low: absent, high: undefined, step: 1n };
  }

  keep(absent: bigint, bounds: Bounds): Bounds {
    [this.#absent, this.#bounds] = [absent, bounds];
    return bounds;
  }
}

/** Where the search asks next; undefined at its end. */
const nextTried = ({ low, high, step }: Bounds, present: bigint): bigint | undefined => {
  if (high === undefined && low + step < present) return low + step;
  const top = high ?? present;
  return top - low > 1n ? (low + top) / 2n : undefined;
};

/** The bounds after the node was asked of a block. */
const narrowed = ({ low, high, step }: Bounds, tried: bigint, isTold: boolean): Bounds => {
  if (isTold) return { low, high: tried, step };
  return { low: tried, high, step: tried === low + step ? 2n * step : step };
};

/**
 * Finds the first block of which a node still tells what it brought. Nodes forget from the oldest on, and what blocks did before the
 * blocks themselves: of some old ones, as those without calls, they may tell yet. So the steps begin small.
 * @param absent a height of which the node tells nothing
 * @param present a higher one, of which it must tell
 * @param search bounds that were found before
 * @returns undefined when it tells nothing of that one either; ServiceUnavailable when it does not answer
 */
export const firstKnownBlock = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  absent: bigint,
  present: bigint,
  search: FirstKnownSearch,
): Promise<Result<bigint | undefined>> => {
  const isToldNow = async (height: bigint): Promise<Result<boolean>> => {
    const found = await arrivals(height, async () => new Set());
    if (found.ok) return ok(found.value !== undefined);
    // nobody forgets a block that is too large
    return found.problem.code === "BlockTooLarge" ? ok(true) : found;
  };
  const isTold = async (height: bigint): Promise<Result<boolean>> => {
    let told = await isToldNow(height);
    // one node of several may have forgotten what the others have
    await isSaidAgain(async () => {
      if (told.ok && !told.value) told = await isToldNow(height);
      return told.ok && !told.value;
    });
    return told;
  };
  const last = await isTold(present);
  if (!last.ok) return last;
  if (!last.value) return ok(undefined);
  let bounds = search.of(absent);
  for (;;) {
    const tried = nextTried(bounds, present);
    if (tried === undefined) return ok(bounds.high ?? present);
    const found = await isTold(tried);
    if (!found.ok) return found;
    bounds = search.keep(absent, narrowed(bounds, tried, found.value));
  }
};
