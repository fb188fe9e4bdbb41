import { ok, type Result } from "@conclave/custody";
import { nodeAway } from "./answers/node-away.ts";
import type { SentSearch, SentTransaction } from "./chain.ts";
import { firstSent } from "./first-sent.ts";

/** Blocks requested at the same time, and blocks per search; the next search continues there. */
const BLOCKS_AT_ONCE = 16;
const BLOCKS_A_LOOK = 320;
/** Limits of memory: accounts, and transactions of each; the oldest are dropped first. */
const ACCOUNTS_MAX = 256;
const SENT_MAX = 4_096;
/** Most start times whose first block is remembered. */
const MOMENTS_MAX = 1_024;

/** The blocks of a chain, for the search. */
export interface SearchedBlocks {
  readonly network: string;
  /** the account */
  readonly sender: string;
  readonly last: bigint;
  /** up to this block nothing can be undone */
  readonly settled: bigint;
  /** Unix ms; increases from block to block */
  readonly timeMsOf: (height: bigint) => Promise<Result<number>>;
  /** the account's transactions in a block */
  readonly sentIn: (height: bigint) => Promise<Result<readonly SentTransaction[]>>;
}

/** The settled blocks that were read for an account, without a gap. */
interface ReadBlocks {
  readonly from: bigint;
  /** the first unread block */
  readonly next: bigint;
  readonly sent: readonly SentInBlock[];
}

interface SentInBlock {
  readonly height: bigint;
  readonly transaction: SentTransaction;
}

/**
 * Searches an account's transactions block by block from a point in time, for nodes that do not list an account's transactions.
 * Each settled block is read once per account, however many of its requests search. Otherwise each request waiting behind
 * another would read again all the blocks that passed during the earlier searches.
 */
export class SentBlocks {
  /** by account */
  readonly #read = new Map<string, ReadBlocks>();
  /** the first block at or after each point in time */
  readonly #first = new Map<number, bigint>();

  async find(blocks: SearchedBlocks, search: SentSearch): Promise<Result<SentTransaction | undefined>> {
    const { network, sender, last, settled } = blocks;
    const first = await this.#firstOf(blocks, search.sinceMs);
    if (!first.ok) return first;
    const known = this.#read.get(sender);
    const isKnown = known !== undefined && known.from <= first.value && first.value <= known.next;
    let read = isKnown ? known : { from: first.value, next: first.value, sent: [] };
    const before = read.sent.filter(({ height }) => height >= first.value);
    const among = await firstSent(
      before.map(({ transaction }) => transaction),
      search,
    );
    if (among !== undefined) return ok(among);
    let height = read.next;
    for (let looked = 0; height <= last; looked += BLOCKS_AT_ONCE) {
      if (looked >= BLOCKS_A_LOOK) {
        return nodeAway(network, "its blocks since the request was authorised are still being read");
      }
      const chunk = await readChunk(blocks, height);
      if (!chunk.ok) return chunk;
      const { end, sent } = chunk.value;
      height = end;
      read = settledOf(read, sent, height <= settled ? height : settled + 1n);
      keep(this.#read, sender, read, ACCOUNTS_MAX);
      const found = await firstSent(
        sent.map(({ transaction }) => transaction),
        search,
      );
      if (found !== undefined) return ok(found);
    }
    return ok(undefined);
  }

  async #firstOf(blocks: SearchedBlocks, sinceMs: number): Promise<Result<bigint>> {
    const known = this.#first.get(sinceMs);
    if (known !== undefined) return ok(known);
    const first = await firstSince(blocks, sinceMs);
    if (first.ok && first.value <= blocks.settled) keep(this.#first, sinceMs, first.value, MOMENTS_MAX);
    return first;
  }
}

/** Reads the next blocks. @returns the account's transactions in them, and the height after them */
const readChunk = async (
  { last, sentIn }: SearchedBlocks,
  first: bigint,
): Promise<Result<{ readonly end: bigint; readonly sent: readonly SentInBlock[] }>> => {
  const heights = Array.from({ length: BLOCKS_AT_ONCE }, (_, at) => first + BigInt(at));
  const asked = heights.filter((height) => height <= last);
  const answers = await Promise.all(asked.map(async (height) => ({ height, answer: await sentIn(height) })));
  const sent: SentInBlock[] = [];
  for (const { height, answer } of answers) {
    if (!answer.ok) return answer;
    sent.push(...answer.value.map((transaction) => ({ height, transaction })));
  }
  return ok({ end: first + BigInt(asked.length), sent });
};

/** Adds the settled part of a chunk to the remembered blocks. */
const settledOf = (read: ReadBlocks, sent: readonly SentInBlock[], end: bigint): ReadBlocks => {
  const next = end > read.next ? end : read.next;
  const all = [...read.sent, ...sent.filter(({ height }) => height >= read.next && height < next)];
  const dropped = all.at(-SENT_MAX - 1);
  return {
    from: dropped === undefined ? read.from : dropped.height + 1n,
    next,
    sent: dropped === undefined ? all : all.filter(({ height }) => height > dropped.height),
  };
};

const keep = <Name, Value>(map: Map<Name, Value>, name: Name, value: Value, most: number): void => {
  map.delete(name);
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(name, value);
};

/** The first block at or after a point in time: steps back from the last block with doubling distance, then bisects. */
const firstSince = async ({ last, timeMsOf }: SearchedBlocks, sinceMs: number): Promise<Result<bigint>> => {
  let [high, low, step] = [last + 1n, -1n, 1n];
  while (high - low > 1n) {
    const middle = low < 0n ? high - step : (high + low) / 2n;
    const height = middle > 0n ? middle : 0n;
    const time = await timeMsOf(height);
    if (!time.ok) return time;
    if (time.value < sinceMs) low = height;
    else high = height;
    step *= 2n;
  }
  return ok(high);
};
