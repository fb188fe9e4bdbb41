import { checksumEvmAddress } from "@conclave/chains/evm";
import { networkSchema, type TransferBody, walletIdSchema } from "@conclave/custody";
import { freshId, insertDeposits } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, transferOf, walletOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

const TOKEN = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"cd".repeat(20)}`;
const STRANGER = `0x${"ef".repeat(20)}`;
const GENERATOR = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

let world: World;
let sender: { readonly id: string; readonly address: string };
let receiver: { readonly id: string; readonly address: string };
let pseudo: string;

/** A wallet with a different address: the scripted orchestrator gives all other wallets the same. */
const walletOfItsOwn = async () => {
  world.script({ kind: "Activated", publicKey: GENERATOR, date: new Date().toISOString() });
  const { body: key } = await world.call("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  return walletWith({ signingKey: { id: walletOf(key).id } });
};
const walletWith = async (more: object) => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia", ...more });
  return { id: walletOf(body).id, address: String(Object(body).address) };
};

let block = 0;
/** A transfer that the chain confirmed. @returns its id */
const confirmed = async (body: object): Promise<string> => {
  const { id } = transferOf((await world.call("POST", `/wallets/${sender.id}/transfers`, body)).body);
  block += 1;
  await world.database.execute(
    `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = $3, fee = '21000',
       date_broadcasted = now(), date_confirmed = now() where id = $1`,
    [id, `0x${block}`, block],
  );
  return id;
};

beforeAll(async () => {
  world = await startWorld();
  sender = await walletWith({});
  receiver = await walletOfItsOwn();
  pseudo = walletOf((await world.call("POST", "/wallets", { network: "KeyECDSA" })).body).id;
  const { address: to } = receiver;
  await confirmed({ kind: "Native", to: to.toLowerCase(), amount: "5" });
  await confirmed({ kind: "Erc20", contract: TOKEN, to, amount: "6" });
  await confirmed({ kind: "Erc20", contract: OTHER, to: STRANGER, amount: "7" });
  await confirmed({ kind: "Erc721", contract: OTHER, to, tokenId: "8" });
});
afterEach(() => world.chain.setAway(false));
afterAll(() => world.stop());

const read = async (path: string, id = receiver.id) => {
  const { status, body } = await world.call("GET", `/wallets/${id}/${path}`);
  return { status, body };
};

describe("GET /wallets/{walletId}/assets", () => {
  it("answers the coin, and of tokens that transfers have moved those that the wallet has", async () => {
    world.chain.setBalance(1_500_000_000_000_000_000n);
    world.chain.setBalance(9n, TOKEN);
    world.chain.setToken(TOKEN, { symbol: "DVT", decimals: 6, verified: false });
    const { status, body } = await read("assets?netWorth=true");
    expect([status, body]).toEqual([
      200,
      {
        walletId: receiver.id,
        network: "EthereumSepolia",
        assets: [
          {
            kind: "Native",
            symbol: "ETH",
            decimals: 18,
            verified: true,
            balance: "1500000000000000000",
            quotes: { EUR: 1800, USD: 2000 },
          },
          {
            kind: "Erc20",
            contract: checksumEvmAddress(TOKEN),
            symbol: "DVT",
            decimals: 6,
            verified: false,
            balance: "9",
          },
        ],
        // the token has no price
        netWorth: { EUR: 2700, USD: 3000 },
      },
    ]);
  });

  it("answers 503 while the chain's node is away", async () => {
    world.chain.setAway(true);
    for (const path of ["assets", "nfts"]) {
      const { status, body } = await read(path);
      expect([status, errorOf(body).details.code]).toEqual([503, "ServiceUnavailable"]);
    }
    expect((await read("history")).status).toBe(200);
  });
});

describe("GET /wallets/{walletId}/nfts", () => {
  it("answers the tokens that came by a transfer, as long as the wallet owns them", async () => {
    world.chain.setOwner(receiver.address);
    expect((await read("nfts")).body).toEqual({
      walletId: receiver.id,
      network: "EthereumSepolia",
      nfts: [{ kind: "Erc721", contract: checksumEvmAddress(OTHER), tokenId: "8" }],
    });
    world.chain.setOwner(sender.address);
    expect((await read("nfts")).body).toMatchObject({ nfts: [] });
  });
});

describe("GET /wallets/{walletId}/history", () => {
  const kinds = async (query: string, id = receiver.id) => {
    const items: unknown = Object((await read(`history${query}`, id)).body).items;
    return Array.isArray(items) ? items.map(({ direction, kind }) => `${direction} ${kind}`) : items;
  };

  it("answers confirmed transfers from and to the wallet, newest first", async () => {
    expect(await kinds("")).toEqual(["In Erc721Transfer", "In Erc20Transfer", "In NativeTransfer"]);
    expect(await kinds("", sender.id)).toEqual([
      "Out Erc721Transfer",
      "Out Erc20Transfer",
      "Out Erc20Transfer",
      "Out NativeTransfer",
    ]);
    expect((await read("history?kind=NativeTransfer", sender.id)).body).toMatchObject({
      walletId: sender.id,
      network: "EthereumSepolia",
      items: [
        {
          walletId: sender.id,
          direction: "Out",
          kind: "NativeTransfer",
          blockNumber: 1,
          txHash: "0x1",
          from: sender.address,
          to: receiver.address.toLowerCase(),
          value: "5",
          fee: "21000",
          symbol: "ETH",
          decimals: 18,
          metadata: { asset: { symbol: "ETH" }, fee: { symbol: "ETH" } },
          timestamp: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it.each([
    ["?direction=Out", []],
    ["?direction=In&kind=Erc20Transfer", ["In Erc20Transfer"]],
    [`?contract=${OTHER}`, ["In Erc721Transfer"]],
    ["?kind=AsaTransfer", []],
  ])("%s answers those alone", async (query, expected) => {
    expect(await kinds(query)).toEqual(expected);
  });

  it("pages without gap or repetition", async () => {
    const seen: unknown[] = [];
    let next: string | undefined = "history?limit=1";
    while (next !== undefined) {
      const { body } = await read(next, sender.id);
      const { items = [], nextPageToken } = Object(body);
      seen.push(...items.map(({ txHash }: { txHash: string }) => txHash));
      next = nextPageToken === undefined ? undefined : `history?limit=1&paginationToken=${nextPageToken}`;
    }
    expect(seen).toEqual(["0x4", "0x3", "0x2", "0x1"]);
  });
});

const indicesIn = (body: unknown) =>
  z
    .object({ items: z.array(z.object({ index: z.string().optional() })) })
    .parse(body)
    .items.flatMap(({ index }) => index ?? [])
    .toSorted();

describe("an arrival from outside", () => {
  let paid: { readonly id: string; readonly address: string };
  const deposit = (txHash: string, moved: TransferBody, walletId = paid.id) => ({
    orgId: world.caller.orgId,
    walletId: walletIdSchema.parse(walletId),
    network: networkSchema.parse("EthereumSepolia"),
    txHash,
    place: "value",
    from: OTHER,
    moved,
    asset: { symbol: "ETH", decimals: 18, verified: true },
    blockNumber: 9n,
    date: new Date().toISOString(),
  });
  const native = { kind: "Native", to: OTHER, amount: "77" } as const;

  beforeAll(async () => {
    paid = await walletWith({ name: "paid" });
    const contract = `0x${"ef".repeat(20)}`;
    for (const one of [
      deposit("0xd1", native),
      deposit("0xd2", { kind: "Erc20", contract, to: paid.address, amount: "8" }),
      deposit("0xd3", { kind: "Erc721", contract, to: paid.address, tokenId: "3" }),
    ]) {
      expect(await insertDeposits(world.database, [one])).toEqual([one]);
      expect(await insertDeposits(world.database, [one])).toEqual([]);
    }
  });

  it("is in the wallet's history, like every event of it", async () => {
    const { body } = await read("history?kind=NativeTransfer", paid.id);
    expect(body).toMatchObject({
      items: [
        {
          kind: "NativeTransfer",
          direction: "In",
          txHash: "0xd1",
          index: "value",
          from: OTHER,
          value: "77",
          symbol: "ETH",
        },
      ],
    });
    const { body: all } = await read("history", paid.id);
    expect(Object(all).items).toHaveLength(3);
    expect((await read("history?direction=Out", paid.id)).body).toMatchObject({ items: [] });
  });

  it("is told apart from what the same transaction brought besides", async () => {
    const { id } = await walletWith({ name: "paid twice" });
    const both = ["output 0", "output 1"].map((place) => ({ ...deposit("0xd4", native, id), place }));
    expect(await insertDeposits(world.database, both)).toHaveLength(2);
    const { body } = await read("history", id);
    expect(indicesIn(body)).toEqual(["output 0", "output 1"]);
    const day = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const range = `startTime=${day(-3_600_000)}&endTime=${day(3_600_000)}`;
    const all = await world.call("GET", `/wallets/all/history?${range}`);
    expect(indicesIn(all.body)).toEqual(expect.arrayContaining(["output 0", "output 1"]));
  });

  it("is shown with the memo, or the tag, that came with it", async () => {
    const { id } = await walletWith({ name: "paid with a memo" });
    await insertDeposits(world.database, [deposit("0xd5", { ...native, memo: "4711" }, id)]);
    expect((await read("history", id)).body).toMatchObject({ items: [{ txHash: "0xd5", memo: "4711" }] });
  });

  it("is in the history of a wallet whose key is archived, also where it came afterwards", async () => {
    const { id } = await walletWith({ name: "archived" });
    await world.database.execute(
      "update wallets set status = 'Archived', date_deleted = now() where id = $1",
      [id],
    );
    await insertDeposits(world.database, [deposit("0xd6", native, id)]);
    expect(await read("history", id)).toMatchObject({ status: 200, body: { items: [{ txHash: "0xd6" }] } });
  });

  it("is among the tokens that are asked for", async () => {
    world.chain.setBalance(8n, `0x${"ef".repeat(20)}`);
    world.chain.setOwner(paid.address);
    expect((await read("assets", paid.id)).body).toMatchObject({
      assets: expect.arrayContaining([expect.objectContaining({ kind: "Erc20", balance: "8" })]),
    });
    expect((await read("nfts", paid.id)).body).toMatchObject({ nfts: [{ tokenId: "3" }] });
  });

  it("is listed once where a transfer of the organisation tells of it as well", async () => {
    await insertDeposits(world.database, [deposit("0x1", { ...native, to: receiver.address }, receiver.id)]);
    const { body } = await read("history?kind=NativeTransfer");
    expect(Object(body).items).toHaveLength(1);
    expect(body).toMatchObject({ items: [{ txHash: "0x1", value: "5" }] });
  });
});

describe("a wallet of a pseudo network", () => {
  it("holds nothing, and is refused where an address is needed", async () => {
    expect((await read("assets", pseudo)).body).toEqual({
      walletId: pseudo,
      network: "KeyECDSA",
      assets: [],
    });
    expect((await read("nfts", pseudo)).body).toMatchObject({ nfts: [] });
    expect((await read("history", pseudo)).body).toMatchObject({ items: [] });
    const native = { kind: "Native", to: receiver.address, amount: "1" };
    const paid = await world.call("POST", `/wallets/${pseudo}/transfers`, native);
    expect([paid.status, errorOf(paid.body).details.code]).toEqual([400, "NetworkWithoutAddress"]);
  });
});

describe("INV-11 the holdings and the history of a wallet", () => {
  it.each(["assets", "nfts", "history"])("is not shown to another organisation: %s", async (path) => {
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const theirs = await world.call("GET", `/wallets/${receiver.id}/${path}`, undefined, strange);
    const unknown = await world.call("GET", `/wallets/${freshId(walletIdSchema, "wa")}/${path}`);
    expect([theirs, unknown].map(({ status, body }) => [status, errorOf(body).message])).toEqual([
      [404, "wallet not found"],
      [404, "wallet not found"],
    ]);
  });
});

describe("GET /networks/fees", () => {
  it("answers what transactions cost at each priority, to any good token", async () => {
    const { token } = await world.tokenOf([]);
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await world.call(
      "GET",
      "/networks/fees?network=EthereumSepolia",
      undefined,
      headers,
    );
    const level = { maxPriorityFeePerGas: "1", maxFeePerGas: "3" };
    expect([status, body]).toEqual([
      200,
      {
        kind: "Eip1559",
        network: "EthereumSepolia",
        blockNumber: 7,
        baseFeePerGas: "2",
        estimatedBaseFee: 2,
        slow: level,
        standard: level,
        fast: level,
      },
    ]);
  });

  it.each([
    ["/networks/fees", "InvalidParameter"],
    ["/networks/fees?network=Nowhere", "NetworkUnknown"],
    ["/networks/fees?network=Ethereum", "NetworkNotEnabled"],
    ["/networks/fees?network=KeyECDSA", "NetworkWithoutAddress"],
    ["/wallets/wa-1/assets", "InvalidParameter"],
    ["/wallets/%00/history", "InvalidParameter"],
    ["/wallets/wa-00000-00000-0000000000000000/assets?netWorth=yes", "InvalidParameter"],
    ["/wallets/wa-00000-00000-0000000000000000/history?direction=Up", "InvalidParameter"],
    ["/wallets/wa-00000-00000-0000000000000000/history?kind=x", "InvalidParameter"],
    ["/wallets/wa-00000-00000-0000000000000000/history?contract=%00", "InvalidParameter"],
    ["/wallets/wa-00000-00000-0000000000000000/history?limit=501", "InvalidParameter"],
  ])("INV-9 %s is refused", async (path, code) => {
    const { status, body } = await world.call("GET", path);
    expect([status, errorOf(body).details.code]).toEqual([400, code]);
  });
});
