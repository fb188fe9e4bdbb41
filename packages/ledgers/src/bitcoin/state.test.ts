import { beforeEach, expect, it } from "vitest";
import { advanceBitcoin, type BitcoindEvent } from "./advance.ts";
import { bucketEntries, bucketValue, emptyBucketMap, withBucketChanges } from "./bucket-map.ts";
import { makeBitcoindBlock } from "./chain/block.ts";
import {
  type BitcoindChain,
  blockAtHeight,
  connectBlock,
  disconnectBlock,
  latestBitcoindBlock,
  openChain,
} from "./chain/chain.ts";
import { bitcoinFaucetPayment } from "./faucet.ts";
import { makeBitcoindGenesis } from "./genesis.ts";
import { mineBitcoindBlock } from "./mine.ts";
import { type BitcoindState, openBitcoinLedger } from "./state.ts";

const TIME = 1_795_132_800;
const GENESIS = makeBitcoindGenesis("regtest", "tests");
const { script: SCRIPT } = GENESIS.faucet;

let opened: BitcoindState;

beforeEach(() => {
  opened = openBitcoinLedger(GENESIS);
});

const mine: BitcoindEvent = { kind: "mine", time: TIME, rewardScript: undefined };
const fund: BitcoindEvent = { kind: "fund", script: SCRIPT, amount: 100_000n, time: TIME };

const after = (state: BitcoindState, ...events: readonly BitcoindEvent[]): BitcoindState =>
  events.reduce((at, event) => advanceBitcoin(at, event).state, state);

/** A chain extended by this many blocks that have only a coinbase. */
const grown = (chain: BitcoindChain, blocks: number, most?: number): BitcoindChain => {
  let at = chain;
  for (let count = 0; count < blocks; count += 1) {
    const previous = latestBitcoindBlock(at);
    const block = makeBitcoindBlock({
      height: previous.height + 1,
      previous,
      time: TIME + previous.height,
      rewards: [],
      mark: "",
      transactions: [],
      spent: new Map(),
    });
    at = connectBlock(at, block, most);
  }
  return at;
};

it("equal states and events give equal states, and no event changes the state that it is given", () => {
  const before = structuredClone(opened);
  const events: readonly BitcoindEvent[] = [
    fund,
    mine,
    fund,
    mine,
    { kind: "reorg", depth: 1, time: TIME },
    mine,
  ];
  expect(after(opened, ...events)).toEqual(after(opened, ...events));
  expect(opened).toEqual(before);
});

it("a state that was written down and read again goes on as if nothing had happened", () => {
  const state = after(opened, fund, mine, fund);
  const read = structuredClone(state);
  const more: readonly BitcoindEvent[] = [{ kind: "reorg", depth: 1, time: TIME }, fund, mine];
  expect(after(read, ...more)).toEqual(after(state, ...more));
});

it("an undone block leaves the coins as they were", () => {
  const [before, longer] = [after(opened, fund, mine), after(opened, fund, mine, fund, fund, mine)];
  const coins = ({ chain }: BitcoindState) => new Map(bucketEntries(chain.coins));
  const back = { ...longer, chain: disconnectBlock(longer.chain) };
  expect(coins(back)).toEqual(coins(before));
  expect(back.chain.coins.size).toBe(before.chain.coins.size);
});

it("a submission that is refused leaves the very same state", () => {
  const submission = { bytes: Uint8Array.of(1), maxFeeRate: 0n, maxBurn: 0n, time: TIME };
  expect(advanceBitcoin(opened, { kind: "submit", submission }).state).toBe(opened);
});

/** The heights of which the chain still has the block. */
const heightsKnown = (chain: BitcoindChain): readonly number[] =>
  Array.from({ length: 20 }, (_, height) => height).filter((height) => blockAtHeight(chain, height));

it("the oldest of more blocks than are kept is forgotten with its reward, but never the first of all", () => {
  const { block } = GENESIS;
  const full = grown(openChain(block), 9, 10);
  const longer = grown(full, 3, 10);
  expect(heightsKnown(full)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(heightsKnown(longer)).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const gone = blockAtHeight(full, 1);
  expect([bucketValue(longer.known, block.hash), bucketValue(longer.known, gone?.hash ?? "")]).toEqual([
    block,
    undefined,
  ]);
  const txid = gone?.transactions[0]?.txid ?? "";
  expect([bucketValue(full.transactions, txid), bucketValue(longer.transactions, txid)]).toEqual([
    gone?.hash,
    undefined,
  ]);
  expect(longer.coins.size).toBe(full.coins.size);
});

it("old blocks with transactions stay, as many as of the latest", () => {
  const busy = after(opened, fund, mine, fund, mine, fund, mine).chain;
  expect(heightsKnown(grown(busy, 5, 4))).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
  const tight = grown(busy, 5, 3);
  expect(heightsKnown(tight)).toEqual([0, 2, 3, 5, 6, 7, 8]);
  const [first, second] = [1, 2].map((height) => blockAtHeight(busy, height));
  const lookUp = (block: typeof first) => bucketValue(tight.transactions, block?.transactions[1]?.txid ?? "");
  expect([lookUp(first), lookUp(second)]).toEqual([undefined, second?.hash]);
});

it("the first of more than a thousand undone blocks is forgotten", () => {
  let chain = grown(openChain(GENESIS.block), 1_001);
  const [first, second] = [latestBitcoindBlock(chain), blockAtHeight(chain, 1_000)];
  for (let count = 0; count < 1_001; count += 1) chain = disconnectBlock(chain);
  expect(chain.stale).toHaveLength(1_000);
  expect(bucketValue(chain.known, first.hash)).toBe(undefined);
  expect(bucketValue(chain.known, second?.hash ?? "")).toBe(second);
});

it("a reward goes to nobody when there is no room for coins", () => {
  const order = { time: TIME, rewardScript: SCRIPT, takesTransactions: true };
  const outputsWithRoomFor = (most: number) => {
    const [reward] = latestBitcoindBlock(mineBitcoindBlock(opened, order, most).chain).transactions;
    return reward?.outputs.map(({ amount }) => amount);
  };
  expect(opened.chain.coins.size).toBe(200);
  expect([201, 200].map(outputsWithRoomFor)).toEqual([[5_000_000_000n, 0n], [0n]]);
});

it("the reward halves as the network says", () => {
  const order = { time: TIME, rewardScript: SCRIPT, takesTransactions: true };
  const high = { ...opened, chain: grown(opened.chain, 149) };
  const [reward] = latestBitcoindBlock(mineBitcoindBlock(high, order).chain).transactions;
  expect(reward?.outputs[0]?.amount).toBe(2_500_000_000n);
});

it("a changed copy of a map shares what did not change, and has the right size", () => {
  const keys = ["a", "b", "c"].map((digit) => digit.repeat(64));
  const first = withBucketChanges(
    emptyBucketMap<number>(),
    keys.map((key, at): [string, number] => [key, at]),
  );
  const [one = "", two = ""] = keys;
  const second = withBucketChanges(first, [
    [one, undefined],
    [two, 9],
    [two, 10],
  ]);
  expect([first.size, second.size]).toEqual([3, 2]);
  expect([bucketValue(first, one), bucketValue(second, one), bucketValue(second, two)]).toEqual([
    0,
    undefined,
    10,
  ]);
  expect(second.buckets.filter((bucket, at) => bucket !== first.buckets[at])).toHaveLength(2);
  expect(withBucketChanges(second, [])).toBe(second);
});

it("after the mempool was full, a transaction must pay the raised minimum, until the next block", () => {
  const bytes = bitcoinFaucetPayment(opened, SCRIPT, [100_000n]);
  if (bytes === undefined) throw new Error("the faucet has coins");
  const submission = { bytes, maxFeeRate: 0n, maxBurn: 0n, time: TIME };
  const full = { ...opened, mempool: { ...opened.mempool, floor: 5_000n } };
  const [refused] = advanceBitcoin(full, { kind: "submit", submission }).effects;
  expect(refused).toMatchObject({ kind: "refused", code: -26 });
  expect(refused).toHaveProperty(
    "message",
    expect.stringMatching(/^mempool min fee not met, 1\d\d < 7\d\d$/),
  );
  const [taken] = advanceBitcoin(after(full, mine), { kind: "submit", submission }).effects;
  expect(taken).toMatchObject({ kind: "pooled" });
  expect(advanceBitcoin(full, fund).effects).toMatchObject([{ kind: "pooled" }]);
});
