import type { ChainNode } from "@conclave/chains";
import { fail, ok } from "@conclave/custody";
import { lastReadBlock } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

/** Number of rounds with the same answer after which a block is skipped. */
const PATIENCE = 60;

/** Runs this many rounds of watching. */
const rounds = async (count: number, node: ChainNode): Promise<void> => {
  for (let round = 0; round < count; round += 1) await watchDeposits(watched.watchWith(node));
};

describe("an arrival from outside in blocks that are not read at once", () => {
  it("is detected behind blocks that the node has forgotten while nobody read", async () => {
    const node = watched.nodeWith(new Map([[5n, [watched.native("0x01")]]]), 10n);
    await watchDeposits(watched.watchWith(node));
    expect(await watched.detected()).toHaveLength(1);
    const asked: bigint[] = [];
    const later = watched.nodeWith(new Map([[900n, [watched.native("0x02")]]]), 1_000n);
    const forgetful: ChainNode = {
      ...later,
      // a node that keeps blocks, but prunes their effects
      arrivals: async (height, areOurs) => {
        asked.push(height);
        return height < 800n ? ok(undefined) : (later.arrivals?.(height, areOurs) ?? ok(undefined));
      },
    };
    await rounds(PATIENCE - 1, forgetful);
    expect(watched.counts.passedOver).toBe(0);
    await rounds(25, forgetful);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    // from the eleventh block to the one before the first that the node shows
    expect(watched.counts.passedOver).toBe(789);
    // the search tries eight blocks for each of some twenty steps, and queries one that seems forgotten twelve times
    expect(asked.length).toBeLessThan(990 + 2 * PATIENCE + 20 * (8 + 12));
  });

  it("K5 is detected behind blocks that are too large for the node to tell, each passed over by itself", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const blocks = new Map([11n, 13n, 15n, 900n].map((height) => [height, [watched.native(`0x${height}`)]]));
    const node = watched.saying(watched.nodeWith(blocks, 1_000n), (height) =>
      height === 12n || height === 14n || height === 500n ? watched.tooLarge() : undefined,
    );
    await rounds(PATIENCE - 1, node);
    expect(watched.counts.passedOver).toBe(0);
    await rounds(2 * PATIENCE + 31, node);
    expect(await watched.stored()).toEqual(["0x11", "0x13", "0x15", "0x900"].map((tx_hash) => ({ tx_hash })));
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([3, 0]);
  });

  it("K5 waits for a block that is too large while it is young: its limit may be raised", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const node = (finalHeight: bigint) =>
      watched.nodeWith(new Map([[12n, [watched.native("0x12")]]]), finalHeight);
    const limited = (finalHeight: bigint) =>
      watched.saying(node(finalHeight), (height) => (height === 12n ? watched.tooLarge() : undefined));
    for (const finalHeight of [20n, 11n + 256n]) await rounds(PATIENCE + 5, limited(finalHeight));
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 256]);
    for (let round = 0; round < 8; round += 1) await watchDeposits(watched.watchWith(node(11n + 256n)));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x12" }]);
  });

  it("K5 waits while the node calls every block too large, or does not tell of the final one", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const away = fail("ServiceUnavailable", { network: watched.wallet.network });
    for (const final of [watched.tooLarge(), away, ok(undefined)]) {
      const node = watched.saying(watched.nodeWith(new Map(), 1_000n), (height) => {
        if (height === 1_000n) return final;
        return height === 12n ? watched.tooLarge() : undefined;
      });
      await rounds(PATIENCE + 5, node);
    }
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 989]);
  });

  it("K5 waits for a node that fails at a block, however far behind it is", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const node = watched.nodeWith(new Map([[12n, [watched.native("0x12")]]]), 1_000n);
    const failing = watched.saying(node, (height) =>
      height === 12n ? fail("ServiceUnavailable", { network: watched.wallet.network }) : undefined,
    );
    await rounds(PATIENCE + 5, failing);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 989]);
    await watchDeposits(watched.watchWith(node));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x12" }]);
  });

  it("K5 is detected behind forgotten blocks, also where the first that the node shows is too large", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const node = watched.saying(
      watched.nodeWith(new Map([[801n, [watched.native("0x801")]]]), 1_100n),
      (height) => {
        if (height < 800n) return ok(undefined);
        return height === 800n ? watched.tooLarge() : undefined;
      },
    );
    await rounds(2 * PATIENCE + 30, node);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x801" }]);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([790, 0]);
  });

  it("K5 is detected in each old block of which the node tells among those that it has forgotten", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const blocks = new Map([12n, 14n, 900n].map((height) => [height, [watched.native(`0x${height}`)]]));
    const node = watched.saying(watched.nodeWith(blocks, 1_000n), (height) =>
      height < 800n && (height % 2n === 1n || height > 14n) ? ok(undefined) : undefined,
    );
    await rounds(3 * PATIENCE + 10, node);
    expect(await watched.stored()).toEqual(["0x12", "0x14", "0x900"].map((tx_hash) => ({ tx_hash })));
    // the eleventh, the thirteenth, and all from the fifteenth on
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([787, 0]);
  });

  it("K5 is detected where the node has forgotten the very block at which reading stands", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const node = watched.nodeWith(new Map([[900n, [watched.native("0x900")]]]), 1_000n);
    const pruned: ChainNode = {
      ...watched.saying(node, (height) => (height < 800n ? ok(undefined) : undefined)),
      block: async (height, ours) => (height < 800n ? ok(undefined) : node.block(height, ours)),
    };
    await rounds(PATIENCE + 25, pruned);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x900" }]);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([789, 0]);
  });

  it("K5 is detected where the second node of a network tells a block that the first one has forgotten", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const blocks = new Map([14n, 900n].map((height) => [height, [watched.native(`0x${height}`)]]));
    const second = watched.nodeWith(blocks, 1_000n);
    // both nodes are queried for the arrivals of a block, the first one alone for all else
    const both: ChainNode = {
      ...second,
      block: async (height, ours) => (height < 800n ? ok(undefined) : second.block(height, ours)),
    };
    await rounds(25, both);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x14" }, { tx_hash: "0x900" }]);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 0]);
  });

  it("K5 waits where the node tells of no block, not even of the final one", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const silent = watched.saying(watched.nodeWith(new Map(), 1_000n), () => ok(undefined));
    await rounds(PATIENCE + 5, silent);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 990]);
  });

  it("K5 waits where one node of several says once that it has forgotten a block, or that its chain is short", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const later = watched.nodeWith(new Map([[11n, [watched.native("0x01")]]]), 1_000n);
    let times = 0;
    const once = watched.saying(later, (height) => {
      if (height !== 11n) return undefined;
      times += 1;
      return times === 1 ? ok(undefined) : undefined;
    });
    for (let round = 0; round < 30; round += 1) await watchDeposits(watched.watchWith(once));
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 0]);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
    let heads = 0;
    const short: ChainNode = {
      ...later,
      head: async () => {
        heads += 1;
        return heads === 1
          ? ok({ height: 8n, hash: "0x", confirmedHeight: 5n, finalHeight: 5n })
          : later.head();
      },
    };
    await watchDeposits(watched.watchWith(short));
    expect(await lastReadBlock(watched.world.orchestratorDatabase, watched.wallet.network)).toMatchObject({
      height: 1_000n,
    });
  });

  it("K5 is waited for while a node shows no block at all, as geth for minutes after a start", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 1_000n)));
    const fresh = { ...watched.nodeWith(new Map(), 0n), isCatchingUp: async () => ok(false) };
    await watchDeposits(watched.watchWith(fresh));
    const at = await lastReadBlock(watched.world.orchestratorDatabase, watched.wallet.network);
    expect(at).toMatchObject({ height: 1_000n });
  });

  it("K5 goes on where one node of several is on another branch", async () => {
    const own = watched.nodeWith(new Map([[11n, [watched.native("0x01")]]]), 12n);
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    let times = 0;
    const mixed: ChainNode = {
      ...own,
      block: async (height, ours) => {
        times += 1;
        return times === 1
          ? watched.nodeWith(new Map(), 12n, "0xb").block(height, ours)
          : own.block(height, ours);
      },
    };
    await watchDeposits(watched.watchWith(mixed));
    const at = () => lastReadBlock(watched.world.orchestratorDatabase, watched.wallet.network);
    expect(await at()).toMatchObject({ height: 10n });
    await watchDeposits(watched.watchWith(mixed));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("K5 passes over no block that a node tells of beside one that has forgotten it", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const later = watched.nodeWith(new Map([[500n, [watched.native("0x500")]]]), 1_000n);
    const asked = new Map<bigint, number>();
    // each block is missing at first; only the first ones are really forgotten
    const half = watched.saying(later, (height) => {
      const times = (asked.get(height) ?? 0) + 1;
      asked.set(height, times);
      return height < 15n || times < 3 ? ok(undefined) : undefined;
    });
    watched.counts.unread = undefined;
    for (let round = 0; round < 3_000 && watched.counts.unread !== 0; round += 1) {
      await watchDeposits(watched.watchWith(half));
    }
    expect([watched.counts.passedOver, await watched.stored()]).toEqual([4, [{ tx_hash: "0x500" }]]);
  });

  it("K5 passes over no block that the one of two nodes tells after the other one answered for minutes", async () => {
    await rounds(1, watched.nodeWith(new Map(), 10n));
    const later = watched.nodeWith(new Map([[11n, [watched.native("0x11")]]]), 1_000n);
    const away = fail("ServiceUnavailable", { network: watched.wallet.network });
    await rounds(
      PATIENCE - 1,
      watched.saying(later, () => ok(undefined)),
    );
    await rounds(
      1,
      watched.saying(later, () => away),
    );
    await rounds(20, later);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 0]);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x11" }]);
  });

  it("K5 waits for a block that one node of two is too busy to tell, and that the other one has forgotten", async () => {
    await rounds(1, watched.nodeWith(new Map(), 10n));
    const later = watched.nodeWith(new Map([[12n, [watched.native("0x12")]]]), 1_000n);
    const away = fail("ServiceUnavailable", { network: watched.wallet.network });
    const answering = (said: typeof away | { readonly ok: true; readonly value: undefined }): ChainNode =>
      watched.saying(later, (height) => (height === 12n ? said : undefined));
    for (let round = 0; round < 3 * PATIENCE; round += 1) {
      await rounds(1, answering(round % 2 === 0 ? ok(undefined) : away));
    }
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([0, 989]);
    await rounds(30, later);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x12" }]);
  });

  it("K5 passes over what both of two nodes have forgotten, and nothing that one of them tells", async () => {
    await rounds(1, watched.nodeWith(new Map(), 10n));
    const later = watched.nodeWith(new Map([[400n, [watched.native("0x400")]]]), 1_000n);
    // one node has blocks from 800 on, the other from 300 on; each round queries one of the two
    const keeping = (first: bigint): ChainNode =>
      watched.saying(later, (height) => (height < first ? ok(undefined) : undefined));
    const nodes = [keeping(800n), keeping(300n)];
    for (let round = 0; round < 600; round += 1) await rounds(1, nodes[round % 2] ?? later);
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([289, 0]);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x400" }]);
  });

  it("K5 finds the newest forgotten block where a node tells of most old ones, as of empty ones", async () => {
    await rounds(1, watched.nodeWith(new Map(), 11n));
    // it has forgotten the effects of every fourth block up to the 600th; the search steps back from the final block by
    // powers of two
    const node = watched.saying(watched.nodeWith(new Map(), 1_002n), (height) =>
      height <= 600n && height % 4n === 0n ? ok(undefined) : undefined,
    );
    await rounds(PATIENCE + 25, node);
    // all by one verdict
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([148, 0]);
  });

  it("K5 catches up with a node that forgets what a thousand blocks did, and tells of empty ones for ever", async () => {
    await rounds(1, watched.nodeWith(new Map(), 10n));
    // a block every twelve seconds, a round every ten
    let final = 1_510n;
    for (let round = 0; round < 400; round += 1) {
      const node = watched.nodeWith(new Map([[1_701n, [watched.native("0x01")]]]), final);
      const pruning = watched.saying(node, (height) =>
        height <= final - 1_000n && height % 2n === 1n ? ok(undefined) : undefined,
      );
      await rounds(1, pruning);
      final = 1_510n + BigInt(Math.floor((round * 10) / 12));
    }
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("K5 goes on with the search for the first block where the node failed in it", async () => {
    await rounds(1, watched.nodeWith(new Map(), 10n));
    const later = watched.nodeWith(new Map([[900n, [watched.native("0x900")]]]), 1_000n);
    let left = 0;
    const away = fail("ServiceUnavailable", { network: watched.wallet.network });
    // fewer calls than the search among a thousand blocks takes
    const limited = watched.saying(later, (height) => {
      left -= 1;
      if (left < 0) return away;
      return height < 800n ? ok(undefined) : undefined;
    });
    for (let round = 0; round < PATIENCE + 80; round += 1) {
      left = 20;
      await rounds(1, limited);
    }
    expect([watched.counts.passedOver, watched.counts.unread]).toEqual([789, 0]);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x900" }]);
  });

  it("K5 is waited for while a node with few blocks says that it reads its chain, or does not say that it does not", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 1_000n)));
    const few = watched.nodeWith(new Map(), 5n);
    const at = () => lastReadBlock(watched.world.orchestratorDatabase, watched.wallet.network);
    for (const said of [ok(true), fail("ServiceUnavailable", {})]) {
      await watchDeposits(watched.watchWith({ ...few, isCatchingUp: async () => said }));
      expect(await at()).toMatchObject({ height: 1_000n });
    }
    await rounds(PATIENCE - 1, { ...few, isCatchingUp: async () => ok(false) });
    expect(await at()).toMatchObject({ height: 1_000n });
    await rounds(1, { ...few, isCatchingUp: async () => ok(false) });
    expect(await at()).toMatchObject({ height: 5n });
  });

  it("K5 is detected where the node that tells of blocks at the first look lags, or has forgotten more than another one", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await watched.world.database.execute("update wallets set date_created = $1", [hourAgo]);
    const final = 100_000n;
    const node = watched.nodeWith(new Map([[98_200n, [watched.native("0x01")]]]), final);
    const now = () => new Date().toISOString();
    const answering = (from: bigint, to: bigint): ChainNode => ({
      ...node,
      block: async (height, ours) => {
        if (height < from || height > to) return ok(undefined);
        const found = await node.block(height, ours);
        const date = new Date(Date.now() - 1_000 * Number(final - height)).toISOString();
        return found.ok && found.value !== undefined ? ok({ ...found.value, date }) : found;
      },
    });
    for (const early of [answering(0n, final - 40n), answering(99_000n, final)]) {
      await watchDeposits({ ...watched.watchWith(early), now });
    }
    for (let round = 0; round < 100; round += 1) {
      await watchDeposits({ ...watched.watchWith(answering(0n, final)), now });
    }
    expect([watched.counts.unread, await watched.stored()]).toEqual([0, [{ tx_hash: "0x01" }]]);
  });

  /** A node with a block each minute up to now. */
  const withMinutes = (node: ChainNode, final: bigint, asked: bigint[] = []): ChainNode => ({
    ...node,
    block: async (height, ours) => {
      const found = await node.block(height, ours);
      const date = new Date(Date.now() - 60_000 * Number(final - height)).toISOString();
      return found.ok && found.value !== undefined ? ok({ ...found.value, date }) : found;
    },
    arrivals: async (height, areOurs) => {
      asked.push(height);
      return node.arrivals?.(height, areOurs) ?? fail("ServiceUnavailable");
    },
  });
  const madeHoursAgo = (hours: number): Promise<unknown> =>
    watched.world.database.execute("update wallets set date_created = $1", [
      new Date(Date.now() - hours * 3_600_000).toISOString(),
    ]);

  it("K5 does not wait for the blocks of a time without wallets", async () => {
    await madeHoursAgo(1);
    await rounds(1, watched.nodeWith(new Map(), 10n));
    const paid = new Map([[99_950n, [watched.native("0x01")]]]);
    const asked: bigint[] = [];
    await rounds(10, withMinutes(watched.nodeWith(paid, 100_000n), 100_000n, asked));
    expect([watched.counts.unread, await watched.stored()]).toEqual([0, [{ tx_hash: "0x01" }]]);
    // the wallet's age of one hour, and one hour more
    expect(asked.every((height) => height > 100_000n - 250n)).toBe(true);
    expect(asked).toContain(99_880n);
    expect(watched.counts.passedOver).toBe(0);
  });

  it("K5 reads all blocks of a time in which there was a wallet, and where the chain's clock stands", async () => {
    const behind = new Map([[11n, [watched.native("0x01")]]]);
    await rounds(1, watched.nodeWith(new Map(), 10n));
    await madeHoursAgo(48);
    await rounds(20, withMinutes(watched.nodeWith(behind, 700n), 700n));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
    await madeHoursAgo(0);
    const date = "2020-01-01T00:00:00.000Z";
    const later = watched.nodeWith(new Map([[701n, [watched.native("0x02")]]]), 1_700n);
    const standing: ChainNode = {
      ...later,
      block: async (height, ours) => {
        const found = await later.block(height, ours);
        return found.ok && found.value !== undefined ? ok({ ...found.value, date }) : found;
      },
    };
    await rounds(30, standing);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
  });

  it("K5 is detected where the first look comes an hour after the wallet was made", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await watched.world.database.execute("update wallets set date_created = $1", [hourAgo]);
    // with a block a second, the wallet was paid half an hour ago
    const node = watched.nodeWith(new Map([[98_200n, [watched.native("0x01")]]]), 100_000n);
    const dated: ChainNode = {
      ...node,
      block: async (height, ours) => {
        const found = await node.block(height, ours);
        const date = new Date(Date.now() - 1_000 * Number(100_000n - height)).toISOString();
        return found.ok && found.value !== undefined ? ok({ ...found.value, date }) : found;
      },
    };
    const now = () => new Date().toISOString();
    for (let round = 0; round < 80; round += 1) await watchDeposits({ ...watched.watchWith(dated), now });
    expect([watched.counts.unread, await watched.stored()]).toEqual([0, [{ tx_hash: "0x01" }]]);
  });
});
