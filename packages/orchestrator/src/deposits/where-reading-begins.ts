import type { ChainNode } from "@conclave/chains";
import { fail, ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/** Reading begins this many blocks earlier: somebody may have paid a wallet between its creation and the first round of reading. */
const BLOCKS_EARLIER = 30n;
/** The most by which the clock that dated a wallet and the clocks that date blocks may differ. */
const CLOCKS_MS = 60_000;
/** Reading leaves out blocks that are older than the oldest wallet by more than this, by the chain's clock. */
const WELL_BEFORE_MS = 60 * 60_000;
/**
 * The most heights that are tried for a block with a date. Some heights have none, such as slots of Solana without a block: each leader that is
 * away leaves four such slots or more, and several may follow one another.
 */
const TRIED_FOR_A_DATE = 64;

/** Reading leaves out older blocks: they would delay new deposits by days. */
const LOOKS_BACK_MS = 24 * 60 * 60_000;

/** The reason why blocks since the oldest wallet are not read: the node lacks them or their dates, or they are too old. */
export type Unread = "forgotten" | "undated" | "long ago";

export interface ReadingBegin {
  /** the last block that counts as read */
  readonly height: bigint;
  /** absent where all blocks since the creation of the oldest wallet are read */
  readonly unread?: Unread;
}

/** Returns a height low enough that the blocks from there on hold every payment to a wallet that was made just now. */
export const shortlyBefore = (height: bigint): bigint =>
  height < BLOCKS_EARLIER ? 0n : height - BLOCKS_EARLIER;

type When = "before" | "since" | "forgotten" | "undated";

/**
 * Whether a node reports each time that it lacks a block: one of several nodes behind its address may lag, or have
 * forgotten what others have.
 */
const isAbsent = (node: Pick<ChainNode, "block">, height: bigint): Promise<boolean> =>
  isSaidAgain(async () => {
    const again = await node.block(height, new Set());
    return again.ok && again.value === undefined;
  });

/** Whether a block was made before or since a time; a block without a date counts as the last dated one before it. */
const whenMade = async (
  node: Pick<ChainNode, "block">,
  height: bigint,
  sinceMs: number,
): Promise<Result<When>> => {
  for (let back = 0n; back < TRIED_FOR_A_DATE && back <= height; back += 1n) {
    const found = await node.block(height - back, new Set());
    if (!found.ok) return found;
    if (found.value === undefined) {
      return (await isAbsent(node, height - back)) ? ok("forgotten") : fail("ServiceUnavailable");
    }
    const { date } = found.value;
    if (date !== undefined) return ok(Date.parse(date) < sinceMs - CLOCKS_MS ? "before" : "since");
  }
  return ok("undated");
};

/** The bounds of the search for the last block before a moment. */
interface Bounds {
  /** a block that was made since the moment, or at most a minute before */
  readonly high: bigint;
  /** a block that was made before it; undefined while none was found */
  readonly low: bigint | undefined;
  /** "before", or why blocks below the lower bound are out of reach */
  readonly when: Exclude<When, "since">;
  /** distance below the upper bound of the next try, while no lower bound is found */
  readonly step: bigint;
}

/**
 * The bounds that a search has found so far. If the node fails during the search, for example at its limit of calls,
 * the next call continues there.
 */
export class LookBack {
  #since: string | undefined;
  #bounds: Bounds | undefined;

  /** @param since names the moment of the search */
  of(since: string): Bounds | undefined {
    return this.#since === since ? this.#bounds : undefined;
  }

  keep(since: string, bounds: Bounds): Bounds {
    [this.#since, this.#bounds] = [since, bounds];
    return bounds;
  }

  /** Forgets the bounds, after the chain's blocks were replaced. */
  forget(): void {
    this.#bounds = undefined;
  }
}

/** The next height to try; undefined at the end of the search. */
const nextTried = ({ high, low, step }: Bounds): bigint | undefined => {
  if (low === undefined) return high === 0n ? undefined : high < step ? 0n : high - step;
  return high - low > BLOCKS_EARLIER ? (high + low) / 2n : undefined;
};

/** Looks back in growing steps from a block that was made since the moment, and then bisects the last step. */
const lookBack = async (
  node: Pick<ChainNode, "block">,
  from: bigint,
  sinceMs: number,
  search: LookBack,
  name: string,
): Promise<Result<ReadingBegin>> => {
  let bounds: Bounds = search.of(name) ?? {
    high: from,
    low: undefined,
    when: "before",
    step: BLOCKS_EARLIER,
  };
  for (;;) {
    const tried = nextTried(bounds);
    if (tried === undefined) {
      const { low, when } = bounds;
      if (low === undefined) return ok({ height: 0n });
      return ok(when === "before" ? { height: shortlyBefore(low) } : { height: low, unread: when });
    }
    const found = await whenMade(node, tried, sinceMs);
    if (!found.ok) return found;
    bounds = search.keep(
      name,
      found.value === "since"
        ? { ...bounds, high: tried, step: 2n * bounds.step }
        : { ...bounds, low: tried, when: found.value },
    );
  }
};

/** Finds the last block that was made before a moment. @param name of the moment, for the bounds that were found before */
const lastBlockBefore = async (
  node: Pick<ChainNode, "block">,
  finalHeight: bigint,
  sinceMs: number,
  search: LookBack,
  name: string,
): Promise<Result<ReadingBegin>> => {
  const usual = shortlyBefore(finalHeight);
  if (usual === 0n) return ok({ height: usual });
  const when = await whenMade(node, usual, sinceMs);
  if (!when.ok) return when;
  // a recent block is not forgotten: the node lags
  if (when.value === "forgotten") return fail("ServiceUnavailable");
  if (when.value === "since") return lookBack(node, usual, sinceMs, search, name);
  return ok(when.value === "before" ? { height: usual } : { height: usual, unread: when.value });
};

/**
 * Finds the block at which reading begins: the last one before anybody could pay the oldest wallet, but at most a day
 * back. The first look may come late, for example if the node was away when the wallet was made.
 * @param oldest creation date of the oldest wallet, ISO 8601; undefined where there is none
 * @param now ISO 8601
 * @param search bounds that were found before
 * @returns ServiceUnavailable while the node does not answer
 */
export const whereReadingBegins = async (
  node: Pick<ChainNode, "block">,
  finalHeight: bigint,
  oldest: string | undefined,
  now: string,
  search: LookBack = new LookBack(),
): Promise<Result<ReadingBegin>> => {
  const oldestMs = Date.parse(oldest ?? "");
  if (oldest === undefined || !Number.isFinite(oldestMs)) return ok({ height: shortlyBefore(finalHeight) });
  const dayAgoMs = Date.parse(now) - LOOKS_BACK_MS;
  const name = `the first look, ${oldest}`;
  if (dayAgoMs <= oldestMs) return lastBlockBefore(node, finalHeight, oldestMs, search, name);
  const found = await lastBlockBefore(node, finalHeight, dayAgoMs, search, name);
  return found.ok ? ok({ unread: "long ago", ...found.value }) : found;
};

/**
 * Finds the end of a time without wallets, well before the oldest one was made.
 * @param oldest creation date of the oldest wallet, ISO 8601
 * @param search bounds that were found before
 * @returns the last block that counts as read; undefined where the chain's dates are of no use; ServiceUnavailable
 * while the node does not answer
 */
export const endOfEmptyTime = async (
  node: Pick<ChainNode, "block">,
  finalHeight: bigint,
  oldest: string,
  search: LookBack,
): Promise<Result<bigint | undefined>> => {
  const oldestMs = Date.parse(oldest);
  // on a chain whose clock does not advance, as one for development may, all blocks are dated before any wallet
  const final = await whenMade(node, finalHeight, oldestMs);
  if (!final.ok) return final;
  if (final.value !== "since") return ok(undefined);
  const found = await lastBlockBefore(node, finalHeight, oldestMs - WELL_BEFORE_MS, search, oldest);
  if (!found.ok) return found;
  return ok(found.value.unread === undefined ? found.value.height : undefined);
};
