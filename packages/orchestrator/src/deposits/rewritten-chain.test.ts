import type { ChainNode } from "@conclave/chains";
import { fail, ok } from "@conclave/custody";
import { lastReadBlock } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { type DepositWatch, noWatchMemory } from "./deposit-watch.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

const round = (node: ChainNode): Promise<number> => watchDeposits(watched.watchWith(node));
const at = () => lastReadBlock(watched.world.orchestratorDatabase, watched.wallet.network);

/** A date long after the wallet was made. */
const LATER = "2100-01-01T00:00:00.000Z";
const EARLIER = "2000-01-01T00:00:00.000Z";

/** A node whose blocks above `shared` are of another branch, dated after the wallet was made. */
const forkedAbove = (
  shared: bigint,
  paidAt: ReadonlyMap<bigint, string>,
  finalHeight: bigint,
  branch = "0xb",
): ChainNode => {
  const paid = [...paidAt].map(([height, hash]) => [height, [watched.native(hash)]] as const);
  const [before, since] = [
    watched.nodeWith(new Map(paid), finalHeight),
    watched.nodeWith(new Map(paid), finalHeight, branch),
  ];
  return {
    ...since,
    block: async (height, ours) => {
      const found = await (height > shared ? since : before).block(height, ours);
      const date = height > shared ? LATER : EARLIER;
      return found.ok && found.value !== undefined ? ok({ ...found.value, date }) : found;
    },
  };
};

describe("INV-6 an arrival at a wallet is detected on a chain that", () => {
  it("began anew, also what was final while it was not believed", async () => {
    await round(forkedAbove(5_000n, new Map(), 5_000n));
    // with a block a second, the wallet is paid in the third minute of the new chain
    const paid = new Map([[150n, "0x01"]]);
    for (let final = 10n; final <= 1_000n; final += 10n) await round(forkedAbove(-1n, paid, final));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("came back with a state from long before its reading began", async () => {
    await round(forkedAbove(5_000n, new Map(), 5_000n));
    const paid = new Map([[4_100n, "0x01"]]);
    for (let final = 4_010n; final <= 5_600n; final += 10n) await round(forkedAbove(4_000n, paid, final));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("came back with a state from before, of which blocks had been read: from the last one that it still holds", async () => {
    for (let final = 100n; final <= 2_000n; final += 10n) await round(forkedAbove(9_999n, new Map(), final));
    const asked: bigint[] = [];
    const paid = new Map([[1_205n, "0x01"]]);
    for (let final = 1_210n; final <= 2_100n; final += 10n) {
      const node = forkedAbove(1_200n, paid, final);
      await round({
        ...node,
        arrivals: async (height, areOurs) => {
          asked.push(height);
          return node.arrivals?.(height, areOurs) ?? expect.fail();
        },
      });
    }
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
    expect(asked[0]).toBeLessThanOrEqual(1_201n);
    expect(asked[0]).toBeGreaterThan(400n);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("began anew and has passed the block at which reading stood while nobody read", async () => {
    await round(forkedAbove(1_000n, new Map(), 1_000n));
    for (let times = 0; times < 40; times += 1) {
      await round(forkedAbove(-1n, new Map([[500n, "0x01"]]), 1_200n));
    }
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("began anew, is a little shorter than what was read and makes blocks seldom", async () => {
    await round(forkedAbove(200n, new Map(), 200n));
    for (let times = 0; times < 70; times += 1) {
      await round(forkedAbove(-1n, new Map([[10n, "0x01"]]), 20n));
    }
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("was rewritten after its node was killed before it showed the hash of the last block that was read", async () => {
    const first = forkedAbove(200n, new Map([[95n, "0x01"]]), 100n);
    let isKilled = false;
    await round({
      ...first,
      block: async (height, ours) => (isKilled ? fail("ServiceUnavailable", {}) : first.block(height, ours)),
      arrivals: async (height, areOurs) => {
        isKilled ||= height === 100n;
        return first.arrivals?.(height, areOurs) ?? expect.fail();
      },
    });
    expect(await at()).toMatchObject({ height: 95n });
    const paid = new Map([
      [95n, "0x01"],
      [98n, "0x02"],
    ]);
    for (let times = 0; times < 5; times += 1) await round(forkedAbove(95n, paid, 110n));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
  });
});

/** Two nodes behind one address: one on another branch answers some questions about a block, as often as given. */
const sometimesOf = (
  node: ChainNode,
  other: ChainNode,
  answers: (height: bigint, nth: number) => boolean,
): ChainNode => {
  const asked = new Map<bigint, number>();
  return {
    ...node,
    block: (height, ours) => {
      const nth = asked.get(height) ?? 0;
      asked.set(height, nth + 1);
      return (answers(height, nth) ? other : node).block(height, ours);
    },
  };
};

describe("INV-6 an arrival at a wallet is detected on a rewritten chain, of which one of several nodes", () => {
  const since = (final: bigint) => forkedAbove(80n, new Map([[85n, "0x01"]]), final);
  const stale = (final: bigint) => forkedAbove(200n, new Map(), final);
  beforeEach(async () => {
    for (const final of [80n, 90n, 100n]) await round(stale(final));
  });

  it("has another block still, and tells of the one that was read last", async () => {
    await round(sometimesOf(since(101n), stale(101n), (height, nth) => height === 100n && nth === 0));
    for (let times = 0; times < 40; times += 1) await round(since(101n));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("has another block still, and tells of the one to which reading goes back", async () => {
    await round(sometimesOf(since(101n), stale(101n), (height, nth) => height === 90n && nth === 0));
    // at once, as reading goes back only once within minutes
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });
});

/** A node whose chain is rewritten after it has shown the last block of a round. */
const rewrittenAfter = (last: bigint, before: ChainNode, since: ChainNode): ChainNode => {
  let isRewritten = false;
  const now = () => (isRewritten ? since : before);
  return {
    ...before,
    block: (height, ours) => now().block(height, ours),
    arrivals: async (height, areOurs) => {
      const shown = (await now().arrivals?.(height, areOurs)) ?? expect.fail();
      isRewritten ||= height === last;
      return shown;
    },
  };
};

it.each<[string, bigint, ReadonlyMap<bigint, string>]>([
  ["one after the other", 100n, new Map()],
  ["with one that brought something", 98n, new Map([[98n, "0x02"]])],
  ["of which the last one brought something", 100n, new Map([[100n, "0x02"]])],
])(
  "INV-6 blocks are read again that were rewritten while they were read, %s",
  async (_, last, paidBefore) => {
    await round(forkedAbove(200n, new Map(), 90n));
    const node = rewrittenAfter(
      last,
      forkedAbove(200n, paidBefore, 100n),
      forkedAbove(90n, new Map([[97n, "0x01"]]), 100n),
    );
    for (let times = 0; times < 3; times += 1) await round(node);
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  },
);

it("INV-5 K5 reading goes on, and does not run back, while a second orchestrator's node is on another branch", async () => {
  let asked = 0;
  const counted = (node: ChainNode): ChainNode => ({
    ...node,
    arrivals: async (height, areOurs) => {
      asked += 1;
      return node.arrivals?.(height, areOurs) ?? expect.fail();
    },
  });
  const paid = new Map([[10_030n, "0x01"]]);
  for (let final = 9_000n; final <= 10_000n; final += 20n)
    await round(forkedAbove(20_000n, new Map(), final));
  const memory = noWatchMemory();
  // a reader that is behind continues at once
  const look = async (watch: DepositWatch): Promise<void> => {
    while ((await watchDeposits(watch)) === 0);
  };
  for (let final = 10_001n; final <= 10_120n; final += 1n) {
    const other = watched.watchWith(counted(forkedAbove(9_990n, new Map(), final)));
    await look({ ...other, memory, unread: () => undefined });
    await look(watched.watchWith(counted(forkedAbove(20_000n, paid, final))));
  }
  expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  expect((await at())?.height).toBeGreaterThan(9_900n);
  expect(asked).toBeLessThan(4_000);
});

it("INV-6 a reader that pauses while the chain is rewritten moves on over nothing that it read before", async () => {
  const alone = (node: ChainNode): DepositWatch => ({ ...watched.watchWith(node), memory: noWatchMemory() });
  await watchDeposits(alone(forkedAbove(200n, new Map(), 90n)));
  await watchDeposits(alone(forkedAbove(200n, new Map(), 100n)));
  const paid = new Map([[103n, "0x01"]]);
  const before = forkedAbove(200n, new Map(), 105n);
  const since = forkedAbove(90n, paid, 105n);
  let shown = 0;
  const paused: ChainNode = {
    ...before,
    block: async (height, ours) => (shown < 5 ? before : since).block(height, ours),
    arrivals: async (height, areOurs) => {
      shown += 1;
      // another reader goes back, and reaches the very height at which this one began
      if (shown === 5) await watchDeposits(alone(forkedAbove(90n, paid, 100n)));
      return before.arrivals?.(height, areOurs) ?? expect.fail();
    },
  };
  await watchDeposits(alone(paused));
  expect((await at())?.marks[0]).toEqual({ height: 100n, hash: "0xb100" });
  await round(since);
  expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
});
