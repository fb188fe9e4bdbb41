import { ok, type Result } from "@conclave/custody";
import { nodeAway } from "./answers/node-away.ts";
import type { SentSearch, SentTransaction } from "./chain.ts";
import { firstSent } from "./first-sent.ts";

/** Blocks that are asked for at once, and in one look; the next look goes on. */
const BLOCKS_AT_ONCE = 16;
const BLOCKS_A_LOOK = 320;
/** Requests that are remembered; the oldest are forgotten first. */
const REMEMBERED_MAX = 1_024;

/** The blocks of a chain, as far as they are searched. */
export interface SearchedBlocks {
  readonly network: string;
  /** the account */
  readonly sender: string;
  readonly last: bigint;
  /** up to this one nothing is undone any more */
  readonly settled: bigint;
  /** Unix ms; it rises from block to block */
  readonly timeMsOf: (height: bigint) => Promise<Result<number>>;
  /** what the account sent in a block */
  readonly sentIn: (height: bigint) => Promise<Result<readonly SentTransaction[]>>;
}

/** Looks for what an account has sent where nodes list no account's transactions: block by block, since a moment. */
export class SentBlocks {
  /** by account and request, the block from which on it is to be looked for */
  readonly #next = new Map<string, bigint>();

  async find(blocks: SearchedBlocks, search: SentSearch): Promise<Result<SentTransaction | undefined>> {
    const name = `${blocks.sender} ${search.act.requestId}`;
    const known = this.#next.get(name);
    const first = known === undefined ? await firstSince(blocks, search.sinceMs) : ok(known);
    if (!first.ok) return first;
    let height = first.value;
    for (let looked = 0; height <= blocks.last; looked += BLOCKS_AT_ONCE) {
      if (looked >= BLOCKS_A_LOOK) {
        return nodeAway(blocks.network, "its blocks since the request was authorised are still being read");
      }
      const heights = Array.from({ length: BLOCKS_AT_ONCE }, (_, at) => height + BigInt(at));
      const asked = heights.filter((each) => each <= blocks.last);
      for (const sent of await Promise.all(asked.map(blocks.sentIn))) {
        if (!sent.ok) return sent;
        const found = await firstSent(sent.value, search);
        if (found !== undefined) return ok(found);
      }
      height += BigInt(asked.length);
      this.#remember(name, height <= blocks.settled ? height : blocks.settled + 1n);
    }
    return ok(undefined);
  }

  #remember(name: string, next: bigint): void {
    this.#next.delete(name);
    const [oldest] = this.#next.keys();
    if (this.#next.size >= REMEMBERED_MAX && oldest !== undefined) this.#next.delete(oldest);
    this.#next.set(name, next);
  }
}

/** The first block that is as late as the moment: from the last one down in longer and longer steps, and between two by halves. */
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
