import { type Arrival, type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { fail, ok } from "@conclave/custody";
import type { Database } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { noWatchMemory } from "./deposit-watch.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

describe("an arrival from outside", () => {
  it("INV-6 is detected once, with the history's own view of it", async () => {
    const watch = watched.watchWith(watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 10n));
    await watchDeposits(watch);
    await watchDeposits(watch);
    const events = await watched.detected();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      orgId: watched.wallet.orgId,
      data: {
        blockchainEvent: {
          kind: "NativeTransfer",
          walletId: watched.wallet.id,
          direction: "In",
          network: watched.wallet.network,
          blockNumber: 7,
          txHash: "0x01",
          to: watched.wallet.address,
          value: "5",
          symbol: "ETH",
          status: "Confirmed",
        },
      },
    });
  });

  it("is dated by its block, as the chain has it on record, and by the clock where the node does not tell it", async () => {
    const date = "2026-01-02T03:00:00.000Z";
    const node = watched.nodeWith(
      new Map([[7n, [{ ...watched.native("0x01"), date }, watched.native("0x02")]]]),
      10n,
    );
    await watchDeposits(watched.watchWith(node));
    const schema = z.object({ blockchainEvent: z.object({ txHash: z.string(), timestamp: z.string() }) });
    const shown = (await watched.detected()).map((event) => [
      event.date,
      schema.parse(event.data).blockchainEvent,
    ]);
    const seen = "2026-01-02T03:04:05.678Z";
    // both events have the same date, so their order is undefined
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual([seen, { txHash: "0x01", timestamp: date }]);
    expect(shown).toContainEqual([seen, { txHash: "0x02", timestamp: seen }]);
  });

  it("INV-6 is detected once by two readers of the same blocks", async () => {
    const { chain, node, pay } = watched.payingChain();
    for (let payments = 0; payments < 3; payments += 1) await pay();
    chain.mine(3);
    const watch = watched.watchWith(node);
    await Promise.all([watchDeposits(watch), watchDeposits(watch), watchDeposits(watch)]);
    await watchDeposits(watch);
    expect(await watched.stored()).toHaveLength(3);
    expect(await watched.detected()).toHaveLength(3);
  });

  it("is not detected before its block is final", async () => {
    const { chain, node, pay } = watched.payingChain();
    await pay();
    chain.mine();
    await watchDeposits(watched.watchWith(node));
    expect(await watched.detected()).toEqual([]);
    chain.mine();
    await watchDeposits(watched.watchWith(node));
    expect(await watched.detected()).toHaveLength(1);
  });

  it("is not detected by a node of another chain, nor while the node does not tell which it is of", async () => {
    const [own, other] = [watched.payingChain(), watched.payingChain(17_000)];
    for (const { chain, pay } of [own, other]) {
      await pay();
      chain.mine(2);
    }
    const away = async () => fail("ServiceUnavailable", { network: watched.wallet.network });
    const stray = await watchDeposits(watched.watchWith(other.node));
    const unshown = await watchDeposits(watched.watchWith({ ...own.node, ofChain: away }));
    // the first is logged each time, and only an operator can fix it
    expect([stray, unshown]).toEqual([60_000, 2_000]);
    expect(await watched.stored()).toEqual([]);
    await watchDeposits(watched.watchWith(own.node));
    expect(await watched.stored()).toHaveLength(1);
  });

  it("is not detected at somebody else's address", async () => {
    const strange = {
      ...watched.native("0x01"),
      moved: { kind: "Native", to: "0x11", amount: "5" } as const,
    };
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map([[7n, [strange]]]), 10n)));
    expect(await watched.stored()).toEqual([]);
  });

  it.each<[string, string, Arrival["moved"], string]>([
    ["Ethereum", "a contract", { kind: "Erc20", contract: "0xc0", to: "", amount: "5" }, "0xc0"],
    ["Algorand", "an asset's id", { kind: "Asa", assetId: "31566704", to: "", amount: "5" }, "31566704"],
    ["Tron", "a token's id", { kind: "Trc10", tokenId: "1002000", to: "", amount: "5" }, "1002000"],
    ["Tron", "a contract", { kind: "Trc20", contract: "TR7NHqjeKQ", to: "", amount: "5" }, "TR7NHqjeKQ"],
    [
      "Stellar",
      "a code and an issuer",
      { kind: "Sep41", assetCode: "USDC", issuer: "GA5Z", to: "", amount: "5" },
      "USDC:GA5Z",
    ],
  ])("on %s is shown as the node describes a token that is named by %s", async (network, _, moved, token) => {
    const arrival = { ...watched.native("0x01"), moved: { ...moved, to: watched.wallet.address } };
    const node = watched.nodeWith(new Map([[7n, [arrival]]]), 10n);
    const describeToken: ChainNode["describeToken"] = async (asked) => ok({ symbol: `of ${asked}` });
    const watch = watched.watchWith({ ...node, describeToken });
    const { tokenOf } = FAMILIES.familyOf(network);
    const family = { ...watch.chain.family, ...(tokenOf === undefined ? {} : { tokenOf }) };
    await watchDeposits({ ...watch, chain: { ...watch.chain, family } });
    const schema = z.object({ asset: z.object({ symbol: z.string().optional() }) });
    expect(await watched.world.database.rows(schema, "select asset from deposits", [])).toEqual([
      { asset: { symbol: `of ${token}` } },
    ]);
  });

  it("K8 is described with the other tokens of its block, ten of them at once: slow contracts hold it up once", async () => {
    const asked: string[] = [];
    let answer = (): void => undefined;
    const allAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const tokens = Array.from({ length: 12 }, (_, at) => `0xc${at.toString(16)}`);
    const arrivals = tokens.map(
      (contract, at): Arrival => ({
        ...watched.native(`0x${at}`),
        moved: { kind: "Erc20", contract, to: watched.wallet.address, amount: "5" },
      }),
    );
    const describeToken: ChainNode["describeToken"] = async (token) => {
      asked.push(token);
      if (asked.length === 10) answer();
      await allAsked;
      return ok({ symbol: `of ${token}` });
    };
    await watchDeposits(
      watched.watchWith({ ...watched.nodeWith(new Map([[7n, arrivals]]), 10n), describeToken }),
    );
    expect(asked).toEqual(tokens.slice(0, 10));
    const schema = z.object({ asset: z.object({ symbol: z.string().optional() }) });
    const rows = await watched.world.database.rows(schema, "select asset from deposits", []);
    const symbols = rows.map(({ asset }) => asset.symbol);
    expect(symbols.filter((symbol) => symbol === undefined)).toHaveLength(2);
    expect(symbols.toSorted()).toEqual([
      ...tokens.slice(0, 10).map((token) => `of ${token}`),
      undefined,
      undefined,
    ]);
  });

  it("INV-5 waits for a node that does not tell of a block, and passes over none", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 10n);
    const silent: ChainNode = {
      ...node,
      arrivals: async (height, areOurs) =>
        height === 7n
          ? fail("ServiceUnavailable", { network: watched.wallet.network })
          : (node.arrivals?.(height, areOurs) ?? ok(undefined)),
    };
    await watchDeposits(watched.watchWith(silent));
    expect(await watched.detected()).toEqual([]);
    await watchDeposits(watched.watchWith(node));
    expect(await watched.detected()).toHaveLength(1);
  });

  it.each<readonly [string, (arrival: Arrival) => Arrival]>([
    [
      "words for an amount",
      (of) => ({ ...of, moved: { kind: "Native", to: watched.wallet.address, amount: "many" } }),
    ],
    [
      "an amount below nothing",
      (of) => ({ ...of, moved: { kind: "Native", to: watched.wallet.address, amount: "-1" } }),
    ],
    ["a NUL in a hash", (of) => ({ ...of, txHash: "0x\0" })],
    ["half a character for a sender", (of) => ({ ...of, from: "\ud800" })],
    ["a megabyte for a sender", (of) => ({ ...of, from: "a".repeat(1_000_000) })],
    ["a NUL in a place", (of) => ({ ...of, place: "log \0" })],
    [
      "a contract that is none",
      (of) => ({ ...of, moved: { kind: "Erc20", contract: "", to: watched.wallet.address, amount: "1" } }),
    ],
  ])("INV-9 is not stored where a node tells %s, and reading goes on", async (_, bend) => {
    const blocks = new Map([[7n, [bend(watched.native("0x01")), watched.native("0x02")]]]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x02" }]);
    expect([watched.counts.unstorable, watched.counts.unread]).toEqual([1, 0]);
  });

  it.each<readonly [string, object]>([
    ["a NUL", { symbol: "A\0B", decimals: 6 }],
    ["half a character", { symbol: "\udc00" }],
    ["half a decimal", { symbol: "USD", decimals: 1.5 }],
  ])("is stored without the token's own words where these hold %s", async (_, described) => {
    const moved = { kind: "Erc20", contract: "0xc0", to: watched.wallet.address, amount: "5" } as const;
    const node = watched.nodeWith(new Map([[7n, [{ ...watched.native("0x01"), moved }]]]), 10n);
    await watchDeposits(watched.watchWith({ ...node, describeToken: async () => ok(described) }));
    const schema = z.object({ asset: z.object({}).strict() });
    expect(await watched.world.database.rows(schema, "select asset from deposits", [])).toEqual([
      { asset: {} },
    ]);
  });

  it("waits for a block that the node does not have yet, or again", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const later = watched.nodeWith(new Map([[11n, [watched.native("0x01")]]]), 200n);
    const behind: ChainNode = { ...later, arrivals: async () => ok(undefined) };
    await watchDeposits(watched.watchWith(behind));
    for (let round = 0; round < 5; round += 1) await watchDeposits(watched.watchWith(later));
    expect(await watched.detected()).toHaveLength(1);
  });

  it("asks for the next blocks while it takes one in, once the node has shown the first", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 20n);
    const order: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: ChainNode = {
      ...node,
      arrivals: async (height, areOurs) => {
        order.push(`asked ${height}`);
        // the third block is shown only after later ones were requested
        if (height === 6n) release();
        if (height === 3n) await released;
        const found = await node.arrivals?.(height, areOurs);
        order.push(`told ${height}`);
        return found ?? ok(undefined);
      },
    };
    await watchDeposits(watched.watchWith(slow));
    expect(order.slice(0, 2)).toEqual(["asked 1", "told 1"]);
    expect(order.indexOf("asked 6")).toBeLessThan(order.indexOf("told 3"));
    expect([watched.counts.unread, await watched.stored()]).toEqual([0, [{ tx_hash: "0x01" }]]);
  });

  it("INV-5 goes on after the database failed for a block that was asked for ahead", async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on("unhandledRejection", hear);
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const later = watched.nodeWith(new Map([[20n, [watched.native("0x01")]]]), 20n);
    const away = new Error("the database is away");
    const node: ChainNode = {
      ...later,
      arrivals: async (height, areOurs) => {
        if (height === 13n) throw away;
        // the twelfth block arrives so late that its failure has no waiter yet
        if (height === 12n) await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        return later.arrivals?.(height, areOurs) ?? ok(undefined);
      },
    };
    await expect(watchDeposits(watched.watchWith(node))).rejects.toBe(away);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(unheard).toEqual([]);
    await watchDeposits(watched.watchWith(later));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("takes in nothing of the blocks behind one that the node does not tell", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 20n);
    const failing = watched.saying(node, (height) =>
      height === 5n ? fail("ServiceUnavailable", {}) : undefined,
    );
    await watchDeposits(watched.watchWith(failing));
    expect([watched.counts.unread, await watched.stored()]).toEqual([16, []]);
    await watchDeposits(watched.watchWith(node));
    expect([watched.counts.unread, await watched.stored()]).toEqual([0, [{ tx_hash: "0x01" }]]);
  });

  it("INV-6 is detected on a chain that began anew, and nothing of it twice", async () => {
    await watchDeposits(
      watched.watchWith(watched.nodeWith(new Map([[990n, [watched.native("0x01")]]]), 1_000n)),
    );
    const anew = watched.nodeWith(new Map([[3n, [watched.native("0x01"), watched.native("0x02")]]]), 5n);
    // several nodes may stand behind one address, and one of them may lag: the answer must be repeated for minutes
    for (let round = 0; round < 62; round += 1) await watchDeposits(watched.watchWith(anew));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    expect(await watched.detected()).toHaveLength(2);
  });

  it("K5 is detected beside an orchestrator whose node lags by a thousand blocks", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10_000n)));
    const good = watched.nodeWith(new Map([[10_001n, [watched.native("0x01")]]]), 10_010n);
    // it reports that it is not syncing
    const lagging = { ...watched.nodeWith(new Map(), 9_000n), isCatchingUp: async () => ok(false) };
    const other = watched.watchWith(lagging);
    for (let round = 0; round < 70; round += 1) {
      await watchDeposits({ ...other, memory: noWatchMemory(), monotonicMs: () => 1e9 * round });
      await watchDeposits(watched.watchWith(good));
    }
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
    expect(watched.counts.unread).toBe(0);
  });

  it("INV-6 is detected on a chain that was rewritten where it had been read, and nothing of it twice", async () => {
    const before = new Map([[9n, [watched.native("0x01")]]]);
    await watchDeposits(watched.watchWith(watched.nodeWith(before, 10n)));
    const rewritten = new Map([
      [9n, [watched.native("0x01")]],
      [10n, [watched.native("0x02")]],
      [12n, [watched.native("0x03")]],
    ]);
    const node = watched.nodeWith(rewritten, 12n, "0xb");
    for (let round = 0; round < 2; round += 1) await watchDeposits(watched.watchWith(node));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }, { tx_hash: "0x03" }]);
    expect(await watched.detected()).toHaveLength(3);
  });

  it("is read once on a chain that only grows", async () => {
    const asked: bigint[] = [];
    const grows = (finalHeight: bigint): ChainNode => {
      const node = watched.nodeWith(new Map(), finalHeight);
      const arrivals: ChainNode["arrivals"] = async (height, areOurs) => {
        asked.push(height);
        return node.arrivals?.(height, areOurs) ?? ok(undefined);
      };
      return { ...node, arrivals };
    };
    for (const finalHeight of [3n, 5n, 6n]) await watchDeposits(watched.watchWith(grows(finalHeight)));
    expect(asked).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
  });

  it("costs as many writes for forty blocks that brought nothing as for one", async () => {
    let writes = 0;
    const counted = (database: Database): Database => ({
      ...database,
      execute: (sql, values) => {
        writes += 1;
        return database.execute(sql, values);
      },
      transaction: (work) => {
        writes += 1;
        return database.transaction(work);
      },
    });
    const writesUpTo = async (finalHeight: bigint): Promise<number> => {
      writes = 0;
      const watch = watched.watchWith(watched.nodeWith(new Map(), finalHeight));
      await watchDeposits({ ...watch, database: counted(watch.database) });
      return writes;
    };
    await writesUpTo(1n);
    const ofOne = await writesUpTo(2n);
    expect(ofOne).toBeGreaterThan(0);
    expect(await writesUpTo(42n)).toBe(ofOne);
    expect(await writesUpTo(42n)).toBe(0);
  });

  it("INV-6 K8 is stored some hundreds at a time where one block brings many, each once", async () => {
    const many = Array.from(
      { length: 450 },
      (_, at): Arrival => ({
        ...watched.native("0x01"),
        place: `log ${at}`,
      }),
    );
    const known = watched.nodeWith(new Map([[7n, many.slice(100, 110)]]), 7n);
    await watchDeposits(watched.watchWith(known));
    const node = watched.nodeWith(new Map([[8n, [...many, ...many.slice(0, 5)]]]), 8n);
    let [statements, others] = [0, 0];
    const watch = watched.watchWith(node);
    const counted: Database = {
      ...watch.database,
      transaction: (work) =>
        watch.database.transaction((connection) =>
          work({
            ...connection,
            rows: (schema, sql, values) => {
              statements += 1;
              // other work has its turn between two statements
              setImmediate(() => {
                others += 1;
              });
              return connection.rows(schema, sql, values);
            },
          }),
        ),
    };
    await watchDeposits({ ...watch, database: counted });
    expect(await watched.stored()).toHaveLength(450);
    expect(await watched.detected()).toHaveLength(450);
    // three statements of deposits and three of events, 200 rows each
    expect([statements, others]).toEqual([6, 6]);
  });

  it.each([
    ["in several questions", ["a stranger"]],
    ["in a round before", []],
  ])("INV-6 is detected where a chain asks whose a block's addresses are %s", async (_, asked) => {
    const node = watched.nodeWith(new Map(), 10n);
    const arrivals: ChainNode["arrivals"] = async (height, areOurs) => {
      if (height !== 7n) return ok([]);
      if (asked.length > 0) await areOurs([watched.wallet.address]);
      await areOurs(asked);
      return ok([watched.native("0x01")]);
    };
    await watchDeposits(watched.watchWith({ ...node, arrivals }));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("INV-6 is stored with the blocks before it, by one of two readers that stand apart", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 10n);
    const overtaken: ChainNode = {
      ...node,
      arrivals: async (height, areOurs) => {
        if (height === 5n) await watchDeposits(watched.watchWith(node));
        return node.arrivals?.(height, areOurs) ?? ok(undefined);
      },
    };
    await watchDeposits(watched.watchWith(overtaken));
    expect(await watched.detected()).toHaveLength(1);
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map([[11n, [watched.native("0x02")]]]), 11n)));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
  });

  it("is waited for while the node does not tell which block stands where reading does", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 10n)));
    const node = watched.nodeWith(new Map([[11n, [watched.native("0x01")]]]), 12n);
    const away: ChainNode = {
      ...node,
      block: async () => fail("ServiceUnavailable", { network: watched.wallet.network }),
    };
    await watchDeposits(watched.watchWith(away));
    expect(await watched.detected()).toEqual([]);
    await watchDeposits(watched.watchWith(node));
    expect(await watched.detected()).toHaveLength(1);
  });

  it("says how many final blocks are still to be read", async () => {
    const node = watched.nodeWith(new Map(), 10n);
    await watchDeposits(watched.watchWith(node));
    expect(watched.counts.unread).toBe(0);
    const stuck: ChainNode = { ...watched.nodeWith(new Map(), 17n), arrivals: async () => ok(undefined) };
    await watchDeposits(watched.watchWith(stuck));
    expect(watched.counts.unread).toBe(7);
  });

  it("is read from real blocks, of the coin", async () => {
    const watch = watched.watchWith(NODES.connect(watched.world.network));
    await watched.world.anvil.control.mine({ blocks: 1 });
    const answer = await fetch(watched.world.anvil.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransaction",
        params: [{ from: watched.world.account.address, to: watched.wallet.address, value: "0x9" }],
      }),
    });
    const { result } = z.object({ result: z.string() }).parse(await answer.json());
    await watched.world.anvil.control.mine({ blocks: 3 });
    await watchDeposits(watch);
    expect(await watched.detected()).toMatchObject([
      { data: { blockchainEvent: { txHash: result, value: "9" } } },
    ]);
  });
});
