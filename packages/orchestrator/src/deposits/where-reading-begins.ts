import type { ChainNode } from "@conclave/chains";
import { fail, ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/** A wallet may have been paid between its creation and the first look: reading begins so many blocks earlier. */
const BLOCKS_EARLIER = 30n;
/** By how much the clock that dated a wallet and those that date blocks may differ. */
const CLOCKS_MS = 60_000;
/** Some blocks have no date, as slots of Solana without a block: so many are asked for the one before them. */
const TRIED_FOR_A_DATE = 8;

/** Blocks of older times are not read: reading them would hold up for days what comes now. */
const LOOKS_BACK_MS = 24 * 60 * 60_000;

/** Why blocks are not read that were made since the oldest wallet was: the node lacks them, or their dates, or they are of long ago. */
export type Unread = "forgotten" | "undated" | "long ago";

export interface ReadingBegin {
  /** the last block that counts as read */
  readonly height: bigint;
  /** absent where all blocks are read that were made since the oldest wallet was */
  readonly unread?: Unread;
}

/** So many blocks before one as hold all that a wallet was paid that was made just now. */
export const shortlyBefore = (height: bigint): bigint =>
  height < BLOCKS_EARLIER ? 0n : height - BLOCKS_EARLIER;

type When = "before" | "since" | "forgotten" | "undated";

/** One node of several may lag, or have forgotten what the others have. */
const isAbsent = (node: Pick<ChainNode, "block">, height: bigint): Promise<boolean> =>
  isSaidAgain(async () => {
    const again = await node.block(height, new Set());
    return again.ok && again.value === undefined;
  });

/** When a block was made, or the last one before it that has a date. */
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

/**
 * Finds the block at which reading begins: by the chain's own dates the last one before anybody could pay the oldest wallet, of the last day.
 * The first look may come late, as where the node was away when the wallet was made.
 * @param oldest when the oldest wallet was made, ISO 8601; undefined where there is none
 * @param now ISO 8601
 * @returns ServiceUnavailable while the node does not answer
 */
export const whereReadingBegins = async (
  node: Pick<ChainNode, "block">,
  finalHeight: bigint,
  oldest: string | undefined,
  now: string,
): Promise<Result<ReadingBegin>> => {
  const usual = shortlyBefore(finalHeight);
  const oldestMs = Date.parse(oldest ?? "");
  if (usual === 0n || !Number.isFinite(oldestMs)) return ok({ height: usual });
  const sinceMs = Math.max(oldestMs, Date.parse(now) - LOOKS_BACK_MS);
  const when = await whenMade(node, usual, sinceMs);
  if (!when.ok) return when;
  if (when.value === "undated" || when.value === "forgotten")
    return ok({ height: usual, unread: when.value });
  const found = when.value === "since" ? await lookBack(node, usual, sinceMs) : ok({ height: usual });
  return found.ok && sinceMs > oldestMs ? ok({ unread: "long ago", ...found.value }) : found;
};

/** Looks back in growing steps, and then halves the last one. @param since a block that is to be read */
const lookBack = async (
  node: Pick<ChainNode, "block">,
  since: bigint,
  sinceMs: number,
): Promise<Result<ReadingBegin>> => {
  let [high, low, step] = [since, since, BLOCKS_EARLIER];
  let when: When = "since";
  while (when === "since") {
    if (low === 0n) return ok({ height: 0n });
    [high, low, step] = [low, low < step ? 0n : low - step, 2n * step];
    const found = await whenMade(node, low, sinceMs);
    if (!found.ok) return found;
    when = found.value;
  }
  while (high - low > BLOCKS_EARLIER) {
    const middle = (low + high) / 2n;
    const found = await whenMade(node, middle, sinceMs);
    if (!found.ok) return found;
    if (found.value === "since") high = middle;
    else [low, when] = [middle, found.value];
  }
  return ok(when === "before" ? { height: shortlyBefore(low) } : { height: low, unread: when });
};
