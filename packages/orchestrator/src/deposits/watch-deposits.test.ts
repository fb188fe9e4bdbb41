import { type Arrival, type ChainNode, FAMILIES } from "@conclave/chains";
import { attachSignatures, buildTransfer } from "@conclave/chains/evm";
import { NODES } from "@conclave/chains/node";
import { FEES, openMemoryChain } from "@conclave/chains/testing";
import { type ChainWallet, fail, ok } from "@conclave/custody";
import { type Database, lastReadBlock, listEvents, makeLogger, withWallets } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { keccak256 } from "viem/utils";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startWorld, type World } from "../testing/world.ts";
import { tokenDescriber } from "./described-tokens.ts";
import { type DepositWatch, watchDeposits } from "./watch-deposits.ts";

const DETECTED = "wallet.blockchainevent.detected";

let world: World;
let wallet: ChainWallet;
let unread: number | undefined;
let passedOver: number;
let unstorable: number;

beforeEach(async () => {
  [passedOver, unstorable] = [0, 0];
  world = await startWorld();
  wallet = await world.wallet();
});
afterEach(() => world.stop());

const native = (txHash: string, amount = "5"): Arrival => ({
  txHash,
  place: "value",
  from: "0x00000000000000000000000000000000C0FfeE00",
  moved: { kind: "Native", to: wallet.address, amount },
});

/** A node whose blocks bring what is said, up to a final height; `branch` is in each of their hashes. */
const nodeWith = (
  blocks: ReadonlyMap<bigint, readonly Arrival[]>,
  finalHeight: bigint,
  branch = "0xa",
): ChainNode => ({
  ...NODES.connect(world.network),
  block: async (height) =>
    ok({ height, hash: `${branch}${height}`, parentHash: `${branch}${height - 1n}`, holds: [] }),
  head: async () => ok({ height: finalHeight + 3n, hash: "0x", confirmedHeight: finalHeight, finalHeight }),
  arrivals: async (height, areOurs) => {
    const seen = blocks.get(height) ?? [];
    const ours = await areOurs(seen.map(({ moved }) => moved.to));
    return ok(seen.filter(({ moved }) => ours.has(moved.to)));
  },
});

/** A chain in memory, on which the world's account pays the wallet. */
const payingChain = (chainId = world.network.chainId) => {
  const chain = openMemoryChain({ world: processWorld, chainId });
  const node = chain.connect(world.network);
  chain.fund(world.account.address, 10n ** 18n);
  let nonce = 0n;
  const pay = async (): Promise<void> => {
    const transfer = { kind: "Native", to: wallet.address.toLowerCase(), amount: "5" } as const;
    const unsigned = buildTransfer({ chainId, nonce, fees: FEES, gasLimit: 21_000n, transfer });
    const signature = world.account.sign(keccak256(unsigned, "bytes"));
    const attached = attachSignatures(unsigned, [signature], [world.account.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    expect(await node.broadcast(attached.value.signed)).toEqual({ kind: "accepted" });
    nonce += 1n;
    chain.mine();
  };
  return { chain, node, pay };
};

const watchWith = (node: ChainNode): DepositWatch => ({
  database: world.orchestratorDatabase,
  families: FAMILIES,
  chain: { family: FAMILIES.familyOf(wallet.network), node },
  network: wallet.network,
  isUsed: async () => (await withWallets(world.orchestratorDatabase, [wallet.network])).length > 0,
  describeTokens: tokenDescriber(processWorld),
  now: () => "2026-01-02T03:04:05.678Z",
  unread: (blocks) => {
    unread = blocks;
  },
  passedOver: (blocks) => {
    passedOver += blocks;
  },
  unstorable: () => {
    unstorable += 1;
  },
  logger: makeLogger({ name: "test", level: "silent" }),
});

const detected = async () =>
  (await listEvents(world.database, wallet.id)).filter(({ kind }) => kind === DETECTED);
const stored = () =>
  world.database.rows(z.object({ tx_hash: z.string() }), "select tx_hash from deposits order by tx_hash", []);

describe("what came from outside", () => {
  it("INV-6 is detected once, with the history's own view of it", async () => {
    const watch = watchWith(nodeWith(new Map([[7n, [native("0x01")]]]), 10n));
    await watchDeposits(watch);
    await watchDeposits(watch);
    const events = await detected();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      orgId: wallet.orgId,
      data: {
        blockchainEvent: {
          kind: "NativeTransfer",
          walletId: wallet.id,
          direction: "In",
          network: wallet.network,
          blockNumber: 7,
          txHash: "0x01",
          to: wallet.address,
          value: "5",
          symbol: "ETH",
          status: "Confirmed",
        },
      },
    });
  });

  it("is dated by its block, as the chain has it on record, and by the clock where the node does not tell it", async () => {
    const date = "2026-01-02T03:00:00.000Z";
    const node = nodeWith(new Map([[7n, [{ ...native("0x01"), date }, native("0x02")]]]), 10n);
    await watchDeposits(watchWith(node));
    const schema = z.object({ blockchainEvent: z.object({ txHash: z.string(), timestamp: z.string() }) });
    const shown = (await detected()).map((event) => [event.date, schema.parse(event.data).blockchainEvent]);
    const seen = "2026-01-02T03:04:05.678Z";
    // both events are of one moment, and have no order among themselves
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual([seen, { txHash: "0x01", timestamp: date }]);
    expect(shown).toContainEqual([seen, { txHash: "0x02", timestamp: seen }]);
  });

  it("INV-6 is detected once by two readers of the same blocks", async () => {
    const { chain, node, pay } = payingChain();
    for (let payments = 0; payments < 3; payments += 1) await pay();
    chain.mine(3);
    const watch = watchWith(node);
    await Promise.all([watchDeposits(watch), watchDeposits(watch), watchDeposits(watch)]);
    await watchDeposits(watch);
    expect(await stored()).toHaveLength(3);
    expect(await detected()).toHaveLength(3);
  });

  it("is not detected before its block is final", async () => {
    const { chain, node, pay } = payingChain();
    await pay();
    chain.mine();
    await watchDeposits(watchWith(node));
    expect(await detected()).toEqual([]);
    chain.mine();
    await watchDeposits(watchWith(node));
    expect(await detected()).toHaveLength(1);
  });

  it("is not detected by a node of another chain, nor while the node does not tell which it is of", async () => {
    const [own, other] = [payingChain(), payingChain(17_000)];
    for (const { chain, pay } of [own, other]) {
      await pay();
      chain.mine(2);
    }
    const away = async () => fail("ServiceUnavailable", { network: wallet.network });
    const stray = await watchDeposits(watchWith(other.node));
    const untold = await watchDeposits(watchWith({ ...own.node, ofChain: away }));
    // the first is told of each time, and only an operator can mend it
    expect([stray, untold]).toEqual([60_000, 2_000]);
    expect(await stored()).toEqual([]);
    await watchDeposits(watchWith(own.node));
    expect(await stored()).toHaveLength(1);
  });

  it("is not detected at somebody else's address", async () => {
    const strange = { ...native("0x01"), moved: { kind: "Native", to: "0x11", amount: "5" } as const };
    await watchDeposits(watchWith(nodeWith(new Map([[7n, [strange]]]), 10n)));
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Arrival["moved"], string]>([
    ["a contract", { kind: "Erc20", contract: "0xc0", to: "", amount: "5" }, "0xc0"],
    ["an asset's id", { kind: "Asa", assetId: "31566704", to: "", amount: "5" }, "31566704"],
    ["a token's id", { kind: "Trc10", tokenId: "1002000", to: "", amount: "5" }, "1002000"],
    ["a contract of TRON", { kind: "Trc20", contract: "TR7NHqjeKQ", to: "", amount: "5" }, "TR7NHqjeKQ"],
    [
      "a code and an issuer",
      { kind: "Sep41", assetCode: "USDC", issuer: "GA5Z", to: "", amount: "5" },
      "USDC:GA5Z",
    ],
  ])("is shown as the node describes a token that is named by %s", async (_, moved, token) => {
    const arrival = { ...native("0x01"), moved: { ...moved, to: wallet.address } };
    const node = nodeWith(new Map([[7n, [arrival]]]), 10n);
    const describeToken: ChainNode["describeToken"] = async (asked) => ok({ symbol: `of ${asked}` });
    await watchDeposits(watchWith({ ...node, describeToken }));
    const schema = z.object({ asset: z.object({ symbol: z.string().optional() }) });
    expect(await world.database.rows(schema, "select asset from deposits", [])).toEqual([
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
        ...native(`0x${at}`),
        moved: { kind: "Erc20", contract, to: wallet.address, amount: "5" },
      }),
    );
    const describeToken: ChainNode["describeToken"] = async (token) => {
      asked.push(token);
      if (asked.length === 10) answer();
      await allAsked;
      return ok({ symbol: `of ${token}` });
    };
    await watchDeposits(watchWith({ ...nodeWith(new Map([[7n, arrivals]]), 10n), describeToken }));
    expect(asked).toEqual(tokens.slice(0, 10));
    const schema = z.object({ asset: z.object({ symbol: z.string().optional() }) });
    const rows = await world.database.rows(schema, "select asset from deposits", []);
    const symbols = rows.map(({ asset }) => asset.symbol);
    expect(symbols.filter((symbol) => symbol === undefined)).toHaveLength(2);
    expect(symbols.toSorted()).toEqual([
      ...tokens.slice(0, 10).map((token) => `of ${token}`),
      undefined,
      undefined,
    ]);
  });

  it("INV-5 waits for a node that does not tell of a block, and passes over none", async () => {
    const node = nodeWith(new Map([[7n, [native("0x01")]]]), 10n);
    const silent: ChainNode = {
      ...node,
      arrivals: async (height, areOurs) =>
        height === 7n
          ? fail("ServiceUnavailable", { network: wallet.network })
          : (node.arrivals?.(height, areOurs) ?? ok(undefined)),
    };
    await watchDeposits(watchWith(silent));
    expect(await detected()).toEqual([]);
    await watchDeposits(watchWith(node));
    expect(await detected()).toHaveLength(1);
  });

  it("is detected behind blocks that the node has forgotten while nobody read", async () => {
    const node = nodeWith(new Map([[5n, [native("0x01")]]]), 10n);
    await watchDeposits(watchWith(node));
    expect(await detected()).toHaveLength(1);
    const asked: bigint[] = [];
    const later = nodeWith(new Map([[900n, [native("0x02")]]]), 1_000n);
    const forgetful: ChainNode = {
      ...later,
      // blocks are kept where what they did is pruned
      arrivals: async (height, areOurs) => {
        asked.push(height);
        return height < 800n ? ok(undefined) : (later.arrivals?.(height, areOurs) ?? ok(undefined));
      },
    };
    for (let round = 0; round < 6; round += 1) await watchDeposits(watchWith(forgetful));
    expect(await stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    // from the eleventh to the one before the first that is told
    expect(passedOver).toBe(789);
    expect(asked.length).toBeLessThan(201 + 30);
  });

  /** A node that says of blocks what is said, and else what it would. */
  const saying = (
    node: ChainNode,
    said: (height: bigint) => Awaited<ReturnType<NonNullable<ChainNode["arrivals"]>>> | undefined,
  ): ChainNode => ({
    ...node,
    arrivals: async (height, areOurs) =>
      said(height) ?? node.arrivals?.(height, areOurs) ?? fail("ServiceUnavailable"),
  });
  const tooLarge = () => fail("BlockTooLarge", { network: wallet.network });

  it("K5 is detected behind blocks that are too large for the node to tell, each passed over by itself", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const blocks = new Map([11n, 13n, 15n, 900n].map((height) => [height, [native(`0x${height}`)]]));
    const node = saying(nodeWith(blocks, 1_000n), (height) =>
      height === 12n || height === 14n || height === 500n ? tooLarge() : undefined,
    );
    for (let round = 0; round < 30; round += 1) await watchDeposits(watchWith(node));
    expect(await stored()).toEqual(["0x11", "0x13", "0x15", "0x900"].map((tx_hash) => ({ tx_hash })));
    expect([passedOver, unread]).toEqual([3, 0]);
  });

  it("K5 waits for a block that is too large while it is young: its limit may be raised", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const node = (finalHeight: bigint) => nodeWith(new Map([[12n, [native("0x12")]]]), finalHeight);
    const limited = (finalHeight: bigint) =>
      saying(node(finalHeight), (height) => (height === 12n ? tooLarge() : undefined));
    for (const finalHeight of [20n, 11n + 256n]) await watchDeposits(watchWith(limited(finalHeight)));
    expect([passedOver, unread]).toEqual([0, 256]);
    for (let round = 0; round < 8; round += 1) await watchDeposits(watchWith(node(11n + 256n)));
    expect(await stored()).toEqual([{ tx_hash: "0x12" }]);
  });

  it("K5 waits while the node calls every block too large, or does not tell of the final one", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const away = fail("ServiceUnavailable", { network: wallet.network });
    for (const final of [tooLarge(), away, ok(undefined)]) {
      const node = saying(nodeWith(new Map(), 1_000n), (height) => {
        if (height === 1_000n) return final;
        return height === 12n ? tooLarge() : undefined;
      });
      for (let round = 0; round < 3; round += 1) await watchDeposits(watchWith(node));
    }
    expect([passedOver, unread]).toEqual([0, 989]);
  });

  it("K5 waits for a node that fails at a block, however far behind it is", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const node = nodeWith(new Map([[12n, [native("0x12")]]]), 1_000n);
    const failing = saying(node, (height) =>
      height === 12n ? fail("ServiceUnavailable", { network: wallet.network }) : undefined,
    );
    for (let round = 0; round < 3; round += 1) await watchDeposits(watchWith(failing));
    expect([passedOver, unread]).toEqual([0, 989]);
    await watchDeposits(watchWith(node));
    expect(await stored()).toEqual([{ tx_hash: "0x12" }]);
  });

  it("K5 is detected behind forgotten blocks, also where the first that is told is too large", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const node = saying(nodeWith(new Map([[801n, [native("0x801")]]]), 1_100n), (height) => {
      if (height < 800n) return ok(undefined);
      return height === 800n ? tooLarge() : undefined;
    });
    for (let round = 0; round < 12; round += 1) await watchDeposits(watchWith(node));
    expect(await stored()).toEqual([{ tx_hash: "0x801" }]);
    expect([passedOver, unread]).toEqual([790, 0]);
  });

  it("K5 is detected in each old block of which the node tells among those that it has forgotten", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const blocks = new Map([12n, 14n, 900n].map((height) => [height, [native(`0x${height}`)]]));
    const node = saying(nodeWith(blocks, 1_000n), (height) =>
      height < 800n && (height % 2n === 1n || height > 14n) ? ok(undefined) : undefined,
    );
    for (let round = 0; round < 10; round += 1) await watchDeposits(watchWith(node));
    expect(await stored()).toEqual(["0x12", "0x14", "0x900"].map((tx_hash) => ({ tx_hash })));
    // the eleventh, the thirteenth, and all from the fifteenth on
    expect([passedOver, unread]).toEqual([787, 0]);
  });

  it("K5 is detected where the node has forgotten the very block at which reading stands", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const node = nodeWith(new Map([[900n, [native("0x900")]]]), 1_000n);
    const pruned: ChainNode = {
      ...saying(node, (height) => (height < 800n ? ok(undefined) : undefined)),
      block: async (height, ours) => (height < 800n ? ok(undefined) : node.block(height, ours)),
    };
    for (let round = 0; round < 7; round += 1) await watchDeposits(watchWith(pruned));
    expect(await stored()).toEqual([{ tx_hash: "0x900" }]);
    expect([passedOver, unread]).toEqual([789, 0]);
  });

  it("K5 waits where the node tells of no block, not even of the final one", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const silent = saying(nodeWith(new Map(), 1_000n), () => ok(undefined));
    for (let round = 0; round < 3; round += 1) await watchDeposits(watchWith(silent));
    expect([passedOver, unread]).toEqual([0, 990]);
  });

  it.each<readonly [string, (arrival: Arrival) => Arrival]>([
    [
      "words for an amount",
      (of) => ({ ...of, moved: { kind: "Native", to: wallet.address, amount: "many" } }),
    ],
    [
      "an amount below nothing",
      (of) => ({ ...of, moved: { kind: "Native", to: wallet.address, amount: "-1" } }),
    ],
    ["a NUL in a hash", (of) => ({ ...of, txHash: "0x\0" })],
    ["half a character for a sender", (of) => ({ ...of, from: "\ud800" })],
    ["a megabyte for a sender", (of) => ({ ...of, from: "a".repeat(1_000_000) })],
    ["a NUL in a place", (of) => ({ ...of, place: "log \0" })],
    [
      "a contract that is none",
      (of) => ({ ...of, moved: { kind: "Erc20", contract: "", to: wallet.address, amount: "1" } }),
    ],
  ])("INV-9 is not stored where a node tells %s, and reading goes on", async (_, bend) => {
    const blocks = new Map([[7n, [bend(native("0x01")), native("0x02")]]]);
    await watchDeposits(watchWith(nodeWith(blocks, 10n)));
    expect(await stored()).toEqual([{ tx_hash: "0x02" }]);
    expect([unstorable, unread]).toEqual([1, 0]);
  });

  it.each<readonly [string, object]>([
    ["a NUL", { symbol: "A\0B", decimals: 6 }],
    ["half a character", { symbol: "\udc00" }],
    ["half a decimal", { symbol: "USD", decimals: 1.5 }],
  ])("is stored without the token's own words where these hold %s", async (_, described) => {
    const moved = { kind: "Erc20", contract: "0xc0", to: wallet.address, amount: "5" } as const;
    const node = nodeWith(new Map([[7n, [{ ...native("0x01"), moved }]]]), 10n);
    await watchDeposits(watchWith({ ...node, describeToken: async () => ok(described) }));
    const schema = z.object({ asset: z.object({}).strict() });
    expect(await world.database.rows(schema, "select asset from deposits", [])).toEqual([{ asset: {} }]);
  });

  it("waits for a block that the node does not have yet, or again", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const later = nodeWith(new Map([[11n, [native("0x01")]]]), 200n);
    const behind: ChainNode = { ...later, arrivals: async () => ok(undefined) };
    await watchDeposits(watchWith(behind));
    for (let round = 0; round < 5; round += 1) await watchDeposits(watchWith(later));
    expect(await detected()).toHaveLength(1);
  });

  it("K5 waits where one node of several says once that it has forgotten a block, or that its chain is short", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const later = nodeWith(new Map([[11n, [native("0x01")]]]), 1_000n);
    let times = 0;
    const once = saying(later, (height) => {
      if (height !== 11n) return undefined;
      times += 1;
      return times === 1 ? ok(undefined) : undefined;
    });
    for (let round = 0; round < 30; round += 1) await watchDeposits(watchWith(once));
    expect([passedOver, unread]).toEqual([0, 0]);
    expect(await stored()).toEqual([{ tx_hash: "0x01" }]);
    let heads = 0;
    const short: ChainNode = {
      ...later,
      head: async () => {
        heads += 1;
        return heads === 1
          ? ok({ height: 3n, hash: "0x", confirmedHeight: 0n, finalHeight: 0n })
          : later.head();
      },
    };
    await watchDeposits(watchWith(short));
    expect(await lastReadBlock(world.orchestratorDatabase, wallet.network)).toMatchObject({ height: 1_000n });
  });

  it("INV-6 is detected on a chain that began anew, and nothing of it twice", async () => {
    await watchDeposits(watchWith(nodeWith(new Map([[990n, [native("0x01")]]]), 1_000n)));
    const anew = nodeWith(new Map([[3n, [native("0x01"), native("0x02")]]]), 5n);
    for (let round = 0; round < 3; round += 1) await watchDeposits(watchWith(anew));
    expect(await stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    expect(await detected()).toHaveLength(2);
  });

  it("INV-6 is detected on a chain that was rewritten where it had been read, and nothing of it twice", async () => {
    const before = new Map([[9n, [native("0x01")]]]);
    await watchDeposits(watchWith(nodeWith(before, 10n)));
    const rewritten = new Map([
      [9n, [native("0x01")]],
      [10n, [native("0x02")]],
      [12n, [native("0x03")]],
    ]);
    const node = nodeWith(rewritten, 12n, "0xb");
    for (let round = 0; round < 2; round += 1) await watchDeposits(watchWith(node));
    expect(await stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }, { tx_hash: "0x03" }]);
    expect(await detected()).toHaveLength(3);
  });

  it("is read once on a chain that only grows", async () => {
    const asked: bigint[] = [];
    const grows = (finalHeight: bigint): ChainNode => {
      const node = nodeWith(new Map(), finalHeight);
      const arrivals: ChainNode["arrivals"] = async (height, areOurs) => {
        asked.push(height);
        return node.arrivals?.(height, areOurs) ?? ok(undefined);
      };
      return { ...node, arrivals };
    };
    for (const finalHeight of [3n, 5n, 6n]) await watchDeposits(watchWith(grows(finalHeight)));
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
      const watch = watchWith(nodeWith(new Map(), finalHeight));
      await watchDeposits({ ...watch, database: counted(watch.database) });
      return writes;
    };
    await writesUpTo(1n);
    const ofOne = await writesUpTo(2n);
    expect(ofOne).toBeGreaterThan(0);
    expect(await writesUpTo(42n)).toBe(ofOne);
    expect(await writesUpTo(42n)).toBe(0);
  });

  it("INV-6 is stored with the blocks before it, by one of two readers that stand apart", async () => {
    const node = nodeWith(new Map([[7n, [native("0x01")]]]), 10n);
    const overtaken: ChainNode = {
      ...node,
      arrivals: async (height, areOurs) => {
        if (height === 5n) await watchDeposits(watchWith(node));
        return node.arrivals?.(height, areOurs) ?? ok(undefined);
      },
    };
    await watchDeposits(watchWith(overtaken));
    expect(await detected()).toHaveLength(1);
    await watchDeposits(watchWith(nodeWith(new Map([[11n, [native("0x02")]]]), 11n)));
    expect(await stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
  });

  it("is waited for while the node does not tell which block stands where reading does", async () => {
    await watchDeposits(watchWith(nodeWith(new Map(), 10n)));
    const node = nodeWith(new Map([[11n, [native("0x01")]]]), 12n);
    const away: ChainNode = {
      ...node,
      block: async () => fail("ServiceUnavailable", { network: wallet.network }),
    };
    await watchDeposits(watchWith(away));
    expect(await detected()).toEqual([]);
    await watchDeposits(watchWith(node));
    expect(await detected()).toHaveLength(1);
  });

  it("says how many final blocks are still to be read", async () => {
    const node = nodeWith(new Map(), 10n);
    await watchDeposits(watchWith(node));
    expect(unread).toBe(0);
    const stuck: ChainNode = { ...nodeWith(new Map(), 17n), arrivals: async () => ok(undefined) };
    await watchDeposits(watchWith(stuck));
    expect(unread).toBe(7);
  });

  it("is read from real blocks, of the coin", async () => {
    const watch = watchWith(NODES.connect(world.network));
    await world.anvil.control.mine({ blocks: 1 });
    const answer = await fetch(world.anvil.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransaction",
        params: [{ from: world.account.address, to: wallet.address, value: "0x9" }],
      }),
    });
    const { result } = z.object({ result: z.string() }).parse(await answer.json());
    await world.anvil.control.mine({ blocks: 3 });
    await watchDeposits(watch);
    expect(await detected()).toMatchObject([{ data: { blockchainEvent: { txHash: result, value: "9" } } }]);
  });
});
