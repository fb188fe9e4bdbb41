import { createServer } from "node:http";
import { makeBitcoindGenesis, type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { HandClock } from "@conclave/ledgers/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import * as btc from "@scure/btc-signer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Arrival, ChainNode } from "../../chain.ts";
import { BITCOIN_SIGNET, testTaprootKey } from "../../testing/bitcoin-samples.ts";
import { bitcoinNode } from "./node.ts";

const SEED = "tests";
const FEE = 1_000n;
const { faucet, block: genesis } = makeBitcoindGenesis("signet", SEED);

interface Somebody {
  readonly secretKey: Uint8Array;
  readonly address: string;
  readonly script: Uint8Array;
}

/** A key derived from a number, and its address by the SDK. */
const somebody = (number: number): Somebody => {
  const secretKey = new Uint8Array(32).fill(number);
  const { address, script } = btc.p2wpkh(secp256k1.getPublicKey(secretKey, true), btc.TEST_NETWORK);
  return { secretKey, address, script };
};
const [ALICE, BOB, CAROL] = [somebody(1), somebody(2), somebody(3)];
const TAPROOT = testTaprootKey("04".repeat(32)).address;

let ledger: RunningLedger;
let node: ChainNode;
const entry = () => ({ ...BITCOIN_SIGNET, genesisHash: genesis.hash, bitcoindUrl: ledger.url, finality: 1 });

beforeEach(async () => {
  ledger = await startBitcoinLedger({
    clock: new HandClock(1_795_132_800_000),
    chain: "signet",
    seed: SEED,
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  node = bitcoinNode(entry());
});
afterEach(() => ledger.stop());

const post = async (url: string, body: object): Promise<unknown> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) expect.fail(await answer.text());
  return answer.json();
};

/** @returns the height of the block */
const mine = async (input: object = {}): Promise<bigint> => {
  const { height } = z.object({ height: z.int() }).parse(await post(`${ledger.adminUrl}/mine`, input));
  return BigInt(height);
};

/** Pays a coin from the faucet to somebody, in a block. @returns its outpoint, amount and height */
const fund = async ({ address }: Somebody, amount: number) => {
  const { id } = z
    .object({ id: z.string() })
    .parse(await post(`${ledger.adminUrl}/fund`, { address, amount }));
  return { txid: id, index: 0, amount: BigInt(amount), height: await mine() };
};

type Coin = Awaited<ReturnType<typeof fund>> & { readonly of: Somebody };
const coinOf = async (of: Somebody, amount: number): Promise<Coin> => ({ ...(await fund(of, amount)), of });

interface Output {
  readonly script: Uint8Array;
  readonly amount: bigint;
}

/** Spends coins with the SDK. @returns the transaction's id, and the height of its block */
const pay = async (coins: readonly Coin[], outputs: readonly Output[]) => {
  const transaction = new btc.Transaction({ allowUnknownOutputs: true });
  for (const { txid, index, amount, of } of coins) {
    transaction.addInput({ txid, index, witnessUtxo: { amount, script: of.script } });
  }
  for (const output of outputs) transaction.addOutput(output);
  for (const { of } of coins) transaction.sign(of.secretKey);
  transaction.finalize();
  await post(ledger.url, {
    id: 1,
    method: "sendrawtransaction",
    params: [hex.encode(transaction.extract())],
  });
  return { txHash: transaction.id, height: await mine() };
};

const arrivalsAt = async (
  height: bigint,
  ...ours: readonly string[]
): Promise<readonly Arrival[] | undefined> => {
  const found = await node.arrivals?.(
    height,
    async (asked) => new Set(asked.filter((one) => ours.includes(one))),
  );
  if (found?.ok !== true) expect.fail("the node does not tell");
  return found.value;
};
const native = (to: string, amount: bigint) => ({ kind: "Native", to, amount: amount.toString() });

it("a payment arrives at a wallet of ours alone, from whom it came; change is no arrival", async () => {
  const coin = await coinOf(ALICE, 100_000);
  expect(await arrivalsAt(coin.height, ALICE.address)).toMatchObject([
    { txHash: coin.txid, place: "output 0", from: faucet.address, moved: native(ALICE.address, 100_000n) },
  ]);
  // the coinbase of its block, but not the change of the same transaction
  expect(await arrivalsAt(coin.height, faucet.address)).toMatchObject([{ from: undefined }]);
  const { txHash, height } = await pay(
    [coin],
    [
      { script: BOB.script, amount: 30_000n },
      { script: ALICE.script, amount: 70_000n - FEE },
    ],
  );
  expect(await arrivalsAt(height, ALICE.address, BOB.address)).toMatchObject([
    { txHash, place: "output 0", from: ALICE.address, moved: native(BOB.address, 30_000n) },
  ]);
  expect(await arrivalsAt(height, ALICE.address)).toEqual([]);
});

it("each output arrives by itself; coins of several wallets have no single sender, and are change for each of them", async () => {
  const coins = [await coinOf(ALICE, 100_000), await coinOf(BOB, 50_000)];
  const { txHash, height } = await pay(coins, [
    { script: CAROL.script, amount: 20_000n },
    { script: BOB.script, amount: 60_000n },
    { script: CAROL.script, amount: 70_000n - FEE },
  ]);
  expect(await arrivalsAt(height, ALICE.address, BOB.address, CAROL.address)).toMatchObject([
    { txHash, place: "output 0", from: undefined, moved: native(CAROL.address, 20_000n) },
    { txHash, place: "output 2", from: undefined, moved: native(CAROL.address, 70_000n - FEE) },
  ]);
});

it("an output without an address, or of nothing, is passed over; a Taproot wallet is paid as others are", async () => {
  const coin = await coinOf(ALICE, 100_000);
  const { height } = await pay(
    [coin],
    [
      { script: btc.Script.encode(["RETURN", new Uint8Array(4)]), amount: 0n },
      { script: btc.OutScript.encode(btc.Address(btc.TEST_NETWORK).decode(TAPROOT)), amount: 40_000n },
    ],
  );
  expect(await arrivalsAt(height, TAPROOT)).toMatchObject([
    { place: "output 1", from: ALICE.address, moved: native(TAPROOT, 40_000n) },
  ]);
});

it("a miner's reward arrives from nobody", async () => {
  const height = await mine({ address: BOB.address });
  expect(await arrivalsAt(height, BOB.address)).toMatchObject([
    { place: "output 0", from: undefined, moved: native(BOB.address, 5_000_000_000n) },
  ]);
});

it("the arrivals of a block that is not there are unknown", async () => {
  expect(await node.arrivals?.(1_000_000n, async () => new Set())).toMatchObject({
    ok: false,
    problem: { code: "ServiceUnavailable", message: expect.stringContaining("final yet") },
  });
});

it("K5 a block is read once the node says that it is as deep as the network's finality, and no earlier", async () => {
  const { height, txid } = await coinOf(ALICE, 100_000);
  node = bitcoinNode({ ...entry(), finality: 3 });
  for (const depth of [1, 2]) {
    const reported = await node.arrivals?.(height, async () => new Set([ALICE.address]));
    expect([depth, reported]).toMatchObject([depth, { ok: false, problem: { code: "ServiceUnavailable" } }]);
    await mine();
  }
  expect(await arrivalsAt(height, ALICE.address)).toMatchObject([{ txHash: txid }]);
});

it("a node of another chain, or one that is away, tells nothing", async () => {
  const { height } = await coinOf(ALICE, 100_000);
  const areOurs = async () => new Set([ALICE.address]);
  const other = bitcoinNode({ ...entry(), genesisHash: "00".repeat(32) });
  expect(await other.arrivals?.(height, areOurs)).toMatchObject({ problem: { code: "ServiceUnavailable" } });
  const away = bitcoinNode({ ...entry(), bitcoindUrl: "http://127.0.0.1:9" });
  expect(await away.arrivals?.(height, areOurs)).toMatchObject({ problem: { code: "ServiceUnavailable" } });
});

describe("bitcoind's answer about a block", () => {
  const HASH = "ab".repeat(32);
  const unread = { ok: false, problem: { code: "ServiceUnavailable" } };
  const forgotten = { ok: true, value: undefined };

  /**
   * A node that gives this answer to `getblock`, and knows a block at every height.
   *
   * @param header its answer to `getblockheader`
   */
  const openNode = async (
    status: number,
    text: string | (() => string),
    header = JSON.stringify({ result: { confirmations: 1 }, error: null }),
  ) => {
    const server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, params } = z
        .object({ method: z.string(), params: z.array(z.unknown()) })
        .parse(JSON.parse(Buffer.concat(chunks).toString()));
      const isBlock = method === "getblock";
      const hash = params[0] === 0 ? genesis.hash : HASH;
      const other =
        method === "getblockheader" && params[0] === HASH
          ? header
          : JSON.stringify({ result: hash, error: null });
      if (!isBlock) response.end(other);
      else response.writeHead(status).end(typeof text === "string" ? text : text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const own = bitcoinNode({ ...entry(), bitcoindUrl: `http://127.0.0.1:${port}` });
    return {
      arrivals: async () => own.arrivals?.(7n, async () => new Set()),
      block: () => own.block(7n, new Set()),
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  };
  const errorOf = (code: number, message: string) =>
    JSON.stringify({ result: null, error: { code, message } });

  it("K5 one that it has pruned is forgotten", async () => {
    const pruned = await openNode(500, errorOf(-1, "Block not available (pruned data)"));
    expect([await pruned.arrivals(), await pruned.block()]).toEqual([forgotten, forgotten]);
    await pruned.close();
  });

  it.each([
    [-1, "Block not available (not fully downloaded)"],
    [-1, "Block not found on disk"],
    [-1, "Undo data not available (pruned data)"],
    [-8, "Block not available (pruned data)"],
    [-32_603, "pruned data"],
  ])("K5 one is read again later of which it says %i, %s", async (code, message) => {
    const other = await openNode(500, errorOf(code, message));
    expect(await other.arrivals()).toMatchObject(unread);
    await other.close();
  });

  it.each([
    ["an orphan", JSON.stringify({ result: { confirmations: -1 }, error: null })],
    ["unknown to another node", errorOf(-5, "Block not found")],
    ["reported without its depth", JSON.stringify({ result: {}, error: null })],
  ])("K5 one is read again later that is %s, and never asked for", async (_, header) => {
    let blocks = 0;
    const lagging = await openNode(
      500,
      () => {
        blocks += 1;
        return errorOf(-1, "Block not available (pruned data)");
      },
      header,
    );
    expect(await lagging.arrivals()).toMatchObject(unread);
    await lagging.close();
    expect(blocks).toBe(0);
  });

  it("K5 the largest one is read: 4 million bytes, twice as many in hex", async () => {
    const header = "00".repeat(80);
    // one transaction without witnesses, whose only output has a script of zero bytes
    const script = 3_999_500;
    const input = `01${"00".repeat(36)}00ffffffff`;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(script);
    const output = `01${"00".repeat(8)}fe${length.toString("hex")}${"00".repeat(script)}`;
    const block = `${header}0101000000${input}${output}00000000`;
    const full = await openNode(200, () => JSON.stringify({ result: block, error: null }));
    expect(await full.arrivals()).toEqual({ ok: true, value: [] });
    await full.close();
  });

  it("K5 one is too large where its proxy says so", async () => {
    const proxied = await openNode(413, "<html>");
    expect(await proxied.arrivals()).toMatchObject({ ok: false, problem: { code: "BlockTooLarge" } });
    await proxied.close();
  });
});
