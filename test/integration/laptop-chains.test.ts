import { makeProgram } from "@conclave/cli";
import type { Cluster } from "@conclave/testbed";
import { FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { startCluster } from "./throw-away-cluster.ts";

const NETWORKS = ["Polygon", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"];
/** how far each clock is moved, as text and in seconds */
const ADVANCES = [
  ["Polygon", "2d", 172_800],
  ["Solana", "2d", 172_800],
  // the services judge the deadlines of these by their own clocks
  ["Stellar", "22h", 79_200],
  ["Tron", "22h", 79_200],
] as const;
const PATIENCE = { timeout: 60_000, interval: 200 };
/** blocks that are made at once may be dated a second apart, ahead of the clock */
const SLACK_S = 10;
/** more than it takes until a block is final anywhere */
const BLOCKS_TO_FINALITY = "40";
const FINAL: readonly string[] = ["Stellar"];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2, networks: NETWORKS });
});
afterAll(() => cluster?.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a `conclave` command on the cluster. @returns its output */
const conclave = async (...words: readonly string[]): Promise<string> => {
  let said = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const program = makeProgram(() => undefined);
  await program.parseAsync(["node", "conclave", ...words, "--state", cluster.layout.root]);
  return said;
};

/** Runs a command of a chain. @returns the latest block that it prints */
const moved = async (...words: readonly string[]) => {
  const said = await conclave("chain", ...words);
  const [, network, height] = /^(\w+) is at block (\d+)$/m.exec(said) ?? [];
  const [, time = ""] = /^its time is (\S+)$/m.exec(said) ?? [];
  return { network, height: Number(height), timeMs: Date.parse(time) };
};

describe("conclave chain", () => {
  it("makes blocks, by default on the first network", async () => {
    const before = await moved("mine");
    const after = await moved("mine", "--blocks", "25");
    expect(before.network).toBe("EthereumSepolia");
    expect(after.height).toBeGreaterThanOrEqual(before.height + 25);
  });

  it("moves clocks and replaces blocks, and the cluster goes on paying on each network", async () => {
    for (const [network, duration, seconds] of ADVANCES) {
      const before = await moved("mine", "--blocks", "4", "--network", network);
      const after = await moved("advance", duration, "--network", network);
      expect(after.timeMs - before.timeMs, network).toBeGreaterThanOrEqual((seconds - SLACK_S) * 1_000);
      if (!FINAL.includes(network)) await moved("reorganise", "2", "--network", network);
    }
    const paid = await Promise.all(
      ADVANCES.map(async ([network]) => {
        const wallet = await makeWallet(cluster, network, "20");
        const driver = FAMILY_DRIVERS.find((each) => each.network === network);
        const body = driver?.native(driver.least).body ?? { kind: "Native", to: wallet.address, amount: "1" };
        return wallet.confirmed(body);
      }),
    );
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set(["Confirmed"]));
  });

  it("INV-9 refuses what a chain cannot do in one sentence", async () => {
    await expect(conclave("chain", "reorganise", "2", "--network", "XrpLedger")).rejects.toThrow(
      "XrpLedger has no reorganisations: a ledger is final when it is validated",
    );
    await expect(conclave("chain", "reorganise", "1999", "--network", "Solana")).rejects.toThrow("is final");
    await expect(conclave("chain", "reorganise", "2000", "--network", "Polygon")).rejects.toThrow(
      "blocks above its first",
    );
    await expect(conclave("chain", "advance", "2h", "--network", "Tron")).rejects.toMatchObject({
      message: "the services sign nothing on Tron once its clock is more than 23 hours ahead of theirs",
      remedy: expect.stringMatching(/^Advance it by \d{2}m at the most\.$/),
    });
    await expect(conclave("chain", "mine", "--network", "Algorand")).rejects.toThrow(
      "this cluster has no local node of Algorand",
    );
  });
});

describe("conclave balance", () => {
  it.each(FAMILY_DRIVERS.filter(({ network }) => NETWORKS.includes(network)))(
    "shows what an address of nobody's wallet holds on $network",
    async ({ network, native, least }) => {
      const { recipient } = native(least).expected;
      const coins = async () => {
        const shown = await conclave("balance", recipient, "--network", network, "--json");
        return walletSchema.omit({ id: true }).parse(JSON.parse(shown)).assets;
      };
      await expect(conclave("balance", `${recipient}x`, "--network", network)).rejects.toMatchObject({
        code: expect.stringMatching(/^Address(Invalid|Checksum)$/),
      });
      expect(await coins()).toEqual([expect.objectContaining({ kind: "Native", balance: "0" })]);
      await conclave("fund", recipient, "--network", network, "--amount", "20");
      expect(await coins()).toEqual([
        expect.objectContaining({ kind: "Native", balance: expect.stringMatching(/^20{6,10}$/) }),
      ]);
    },
  );

  it("shows tokens that were made on the network, and no collectibles", async () => {
    const holder = "0x00000000000000000000000000000000000000aa";
    const on = ["--network", "Polygon"];
    for (const [kind, symbol] of [
      ["Erc20", "SHOWN"],
      ["Erc20", "OTHER"],
      ["Erc721", "PIECE"],
    ] as const)
      await conclave("token", "create", ...on, "--kind", kind, "--symbol", symbol);
    for (const symbol of ["SHOWN", "PIECE"]) await conclave("fund", holder, ...on, "--token", symbol);
    const shown = await conclave("balance", holder, ...on);
    expect(shown).toMatch(/SHOWN +Erc20 +10\n/);
    expect(shown).not.toMatch(/OTHER|PIECE/);
  });
});

const walletSchema = z.looseObject({
  id: z.string(),
  assets: z.array(z.looseObject({ kind: z.string(), balance: z.string(), symbol: z.string().optional() })),
});

/** Makes a wallet with coins. @returns the function that reads what it holds of a kind */
const walletOn = async (network: string, name: string) => {
  await conclave("wallet", "create", "--network", network, "--wallet-name", name);
  await conclave("fund", name, "--amount", "100");
  return async (kind: string) => {
    const shown = await conclave("wallet", "show", name, "--json");
    return walletSchema.parse(JSON.parse(shown)).assets.find((asset) => asset.kind === kind);
  };
};

describe("conclave token", () => {
  it.each([
    ["Polygon", "Erc20", "USDC"],
    ["Tron", "Trc20", "USDT"],
    ["Solana", "Spl", "SPLT"],
  ])("makes on %s a token of kind %s, and pays it", async (network, kind, symbol) => {
    const holds = await walletOn(network, `of-${symbol}`);
    const made = await conclave("token", "create", "--network", network, "--kind", kind, "--symbol", symbol);
    expect(made).toContain(`${symbol} is made on ${network}: ${kind}, 6 decimal places\n`);
    expect(await conclave("fund", `of-${symbol}`, "--token", symbol, "--amount", "5.5")).toContain(
      `gets 5.5 ${symbol} on ${network}`,
    );
    await conclave("chain", "mine", "--blocks", BLOCKS_TO_FINALITY, "--network", network);
    await vi.waitFor(async () => expect(await holds(kind)).toMatchObject({ balance: "5500000" }), PATIENCE);
  });

  it.each([
    ["Polygon", "Erc721"],
    ["Tron", "Trc721"],
  ])("makes on %s a collection of kind %s, and gives collectibles of it", async (network, kind) => {
    const symbol = `C${kind}`;
    await walletOn(network, `of-${kind}`);
    await conclave("token", "create", "--network", network, "--kind", kind, "--symbol", symbol);
    expect(await conclave("fund", `of-${kind}`, "--token", symbol)).toContain(`gets ${symbol} #1 on`);
    expect(await conclave("fund", `of-${kind}`, "--token", symbol, "--amount", "2")).toContain(
      `gets ${symbol} #2, #3 on`,
    );
  });

  it("sends what it was paid, by the symbol", async () => {
    const to = "0x00000000000000000000000000000000c0ffee00";
    const sent = [
      "transfer",
      "--from",
      "of-USDC",
      "--to",
      to,
      "--amount",
      "1.5",
      "--asset",
      "USDC",
      "--json",
    ];
    expect(JSON.parse(await conclave(...sent))).toMatchObject({ status: "Confirmed" });
  });

  it("lists tokens without the keys of their makers", async () => {
    const listed: unknown = JSON.parse(await conclave("token", "list", "--json"));
    expect(listed).toContainEqual({
      network: "Polygon",
      kind: "Erc20",
      symbol: "USDC",
      decimals: 6,
      id: expect.stringMatching(/^0x/),
    });
    expect(JSON.stringify(listed)).not.toContain("makerKey");
  });

  it("INV-9 refuses in one sentence, and changes nothing", async () => {
    const before = await conclave("token", "list", "--json");
    const create = (...words: readonly string[]) => conclave("token", "create", ...words);
    await expect(create("--network", "Polygon", "--kind", "Spl")).rejects.toMatchObject({
      message: "Polygon has no tokens of kind Spl",
      remedy: "Its kinds are Erc20, Erc721.",
    });
    await expect(create("--network", "Bitcoin", "--kind", "Erc20")).rejects.toThrow(
      "no tokens of kind Erc20",
    );
    await expect(create("--network", "Polygon", "--kind", "Erc20", "--symbol", "USDC")).rejects.toThrow(
      "Polygon has a token USDC: 0x",
    );
    await expect(conclave("fund", "of-USDC", "--token", "EURC")).rejects.toThrow(
      "no token EURC was made on Polygon",
    );
    await expect(conclave("fund", "of-USDC", "--token", "USDC", "--amount", "1000000001")).rejects.toThrow(
      /^999999994.5 USDC are left/,
    );
    await expect(conclave("fund", "0x12", "--network", "Polygon", "--token", "USDC")).rejects.toThrow(
      "0x12 is no EVM address",
    );
    expect(await conclave("token", "list", "--json")).toBe(before);
  });
});
