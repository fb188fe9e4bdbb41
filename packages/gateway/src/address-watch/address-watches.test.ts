import { FAMILIES } from "@conclave/chains";
import { checksumEvmAddress } from "@conclave/chains/evm";
import {
  addressWatchIdSchema,
  judgeWatchedAddress,
  MOST_ADDRESS_WATCHES,
  networkSchema,
} from "@conclave/custody";
import { freshId, insertWatchedMovements } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { type Person, personWith } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const PATH = "/address-watches";
const ADDRESS = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const OTHER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const TOKEN = `0x${"ab".repeat(20)}`;
const BODY = { network: "EthereumSepolia", address: ADDRESS };
const watchSchema = z.looseObject({ id: addressWatchIdSchema, status: z.string() });
const pageSchema = z.looseObject({
  items: z.array(z.looseObject({})),
  nextPageToken: z.string().optional(),
});

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
afterEach(async () => {
  world.chain.setAway(false);
  await world.database.execute("delete from watched_movements");
  await world.database.execute("delete from address_watches");
});

type Call = World["call"] | Person["call"];
const make = async (change: object = {}, call: Call = world.call) => {
  const { status, body } = await call("POST", PATH, { ...BODY, ...change });
  expect([status, body]).toMatchObject([200, {}]);
  return watchSchema.parse(body);
};
const read = async (path: string) => (await world.call("GET", `${PATH}/${path}`)).body;
const refusal = async (method: string, path: string, body?: unknown, call: Call = world.call) => {
  const answer = await call(method, path, body);
  return [answer.status, errorOf(answer.body).details.code];
};
const stranger: Person["call"] = (method, path, body) =>
  world.call(method, path, body, { authorization: `Bearer ${world.strangersToken}` });

/** Records movements at a watched address, the first one oldest: 5 of the coin in, 6 of a token out, and a piece in. */
const move = (watch: z.output<typeof watchSchema>) => {
  const common = {
    orgId: world.caller.orgId,
    addressWatchId: watch.id,
    network: networkSchema.parse("EthereumSepolia"),
    place: "value",
    asset: { symbol: "ETH", decimals: 18, verified: true },
    blockNumber: 7n,
  };
  const into = { ...common, direction: "In", from: OTHER } as const;
  const out = { ...common, direction: "Out", from: ADDRESS } as const;
  return insertWatchedMovements(world.database, [
    {
      ...into,
      txHash: "0x01",
      moved: { kind: "Native", to: ADDRESS, amount: "5" },
      date: "2026-01-01T00:00:00.000Z",
    },
    {
      ...out,
      txHash: "0x02",
      moved: { kind: "Erc20", contract: TOKEN, to: OTHER, amount: "6" },
      asset: { symbol: "DVT", decimals: 6 },
      date: "2026-01-02T00:00:00.000Z",
    },
    {
      ...into,
      txHash: "0x03",
      moved: { kind: "Erc721", contract: OTHER, to: ADDRESS, tokenId: "8" },
      asset: {},
      date: "2026-01-03T00:00:00.000Z",
    },
  ]);
};

describe("an address watch", () => {
  it("is created, read and listed, with its address as the vendor's service writes it", async () => {
    const watch = await make({ name: "Customer", externalId: "customer-1" });
    expect(watch).toEqual({
      id: expect.stringMatching(/^aw-/),
      network: "EthereumSepolia",
      address: ADDRESS.toLowerCase(),
      name: "Customer",
      externalId: "customer-1",
      status: "Active",
      dateCreated: expect.any(String),
    });
    expect(await read(watch.id)).toEqual(watch);
    const other = await make({ address: OTHER });
    const first = pageSchema.parse((await world.call("GET", `${PATH}?limit=1`)).body);
    const next = `${PATH}?limit=1&paginationToken=${first.nextPageToken}`;
    const second = pageSchema.parse((await world.call("GET", next)).body);
    expect(second.nextPageToken).toBeUndefined();
    const listed = [...first.items, ...second.items];
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining([watch, other]));
  });

  it("may be of any network whose blocks show who paid, which a refusal lists", () => {
    const networks = ["Bitcoin", "Ethereum", "Solana", "Stellar"].map((name) => networkSchema.parse(name));
    const judged = (network: string, address: string) =>
      judgeWatchedAddress(FAMILIES, networks, { network: networkSchema.parse(network), address });
    expect(judged("Bitcoin", "bc1q")).toMatchObject({
      problem: { code: "WatchNotSupported", details: { networks: ["Ethereum", "Solana", "Stellar"] } },
    });
    expect(judged("Solana", ADDRESS)).toMatchObject({ problem: { code: "AddressInvalid" } });
    expect(judged("Ethereum", ADDRESS.toLowerCase())).toEqual({ ok: true, value: ADDRESS });
  });

  it("may be of a wallet's own address", async () => {
    const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
    const { address } = z.looseObject({ address: z.string() }).parse(body);
    expect(await make({ address })).toMatchObject({ address: address.toLowerCase(), status: "Active" });
  });

  it("is one for an address, whatever its spelling and however many ask at the same moment", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        (at % 2 === 0 ? world.call : world.callBeside)("POST", PATH, {
          ...BODY,
          address: at < 2 ? ADDRESS : ADDRESS.toLowerCase(),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const made = answers.find(({ status }) => status === 200);
    const refused = answers.find(({ status }) => status === 409);
    expect(errorOf(refused?.body).details).toMatchObject({
      code: "AddressWatched",
      addressWatchId: watchSchema.parse(made?.body).id,
    });
  });

  it("stops when it is deleted, keeps its history, and goes on as it was when it is created again", async () => {
    const watch = await make({ name: "Customer" });
    await move(watch);
    const deleted = watchSchema.parse((await world.call("DELETE", `${PATH}/${watch.id}`, {})).body);
    expect(deleted).toEqual({ ...watch, status: "Archived", dateDeleted: expect.any(String) });
    expect((await world.call("DELETE", `${PATH}/${watch.id}`, {})).body).toEqual(deleted);
    expect(await read(watch.id)).toEqual(deleted);
    expect(pageSchema.parse(await read(`${watch.id}/history`)).items).toHaveLength(3);
    expect(await make({ address: ADDRESS.toLowerCase(), name: "Somebody else" })).toEqual(watch);
    expect(pageSchema.parse(await read(`${watch.id}/history`)).items).toHaveLength(3);
  });

  it("INV-9 is refused for a wrong body, which stores nothing", async () => {
    const wrong = [
      [{ ...BODY, address: `${ADDRESS}0` }, "AddressInvalid"],
      [{ ...BODY, address: ADDRESS.replace("F7", "f7") }, "AddressChecksum"],
      [{ ...BODY, address: `0x${"0".repeat(40)}` }, "AddressInvalid"],
      [{ ...BODY, address: "a\nb" }, "AddressInvalid"],
      [{ ...BODY, address: "a\u0000b" }, "InvalidBody"],
      [{ ...BODY, address: "" }, "InvalidBody"],
      [{ ...BODY, address: "a".repeat(257) }, "InvalidBody"],
      [{ ...BODY, address: 7 }, "InvalidBody"],
      [{ network: BODY.network }, "InvalidBody"],
      [{ address: ADDRESS }, "InvalidBody"],
      [{ ...BODY, name: "n".repeat(101) }, "InvalidBody"],
      [{ ...BODY, name: "a\nb" }, "InvalidBody"],
      [{ ...BODY, externalId: "" }, "InvalidBody"],
      [{ ...BODY, tags: [] }, "InvalidBody"],
      [{ ...BODY, network: "Nowhere" }, "NetworkUnknown"],
      [{ ...BODY, network: "Ethereum" }, "NetworkNotEnabled"],
      [{ ...BODY, network: "KeyECDSA" }, "NetworkWithoutAddress"],
      ["no JSON", "InvalidJson"],
    ] as const;
    for (const [body, code] of wrong) expect(await refusal("POST", PATH, body), code).toEqual([400, code]);
    expect(pageSchema.parse((await world.call("GET", PATH)).body).items).toEqual([]);
    for (const path of ["aw-1", "aw-5c3k1-9qzt0-8d1v7h2m4n6p0r2s/history?direction=Up"])
      expect(await refusal("GET", `${PATH}/${path}`)).toEqual([400, "InvalidParameter"]);
  });

  it("is one of a thousand at most, deleted ones not counted", async () => {
    const watch = await make();
    await world.database.execute(
      `insert into address_watches (id, org_id, network, address, status, date_created, date_activated)
       select 'aw-00000-00000-' || lpad(n::text, 16, '0'), $1, 'EthereumSepolia', 'address ' || n, 'Active', now(), now()
       from generate_series(2, $2::int) n`,
      [world.caller.orgId, MOST_ADDRESS_WATCHES],
    );
    expect(await refusal("POST", PATH, { ...BODY, address: OTHER })).toEqual([422, "TooManyAddressWatches"]);
    await world.call("DELETE", `${PATH}/${watch.id}`, {});
    await make({ address: OTHER });
    // to go on with a deleted one needs room, too
    expect(await refusal("POST", PATH, BODY)).toEqual([422, "TooManyAddressWatches"]);
  });

  it("INV-11 is not there for another organisation, which may watch the same address", async () => {
    const watch = await make();
    const unknown = freshId(addressWatchIdSchema, "aw");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["GET", "/assets", undefined],
      ["GET", "/history", undefined],
      ["DELETE", "", {}],
    ] as const) {
      const found = await stranger(method, `${PATH}/${watch.id}${path}`, body);
      const absent = await world.call(method, `${PATH}/${unknown}${path}`, body);
      const { details, ...said } = errorOf(found.body);
      expect([found.status, details.code, said.message]).toEqual([
        404,
        errorOf(absent.body).details.code,
        errorOf(absent.body).message,
      ]);
    }
    expect(pageSchema.parse((await stranger("GET", PATH)).body).items).toEqual([]);
    const theirs = await make({}, stranger);
    expect(theirs.id).not.toBe(watch.id);
    expect(await read(watch.id)).toEqual(watch);
  });

  it("needs a permission for each thing", async () => {
    const [nobody, maker, reader, deleter] = [
      await personWith(world, []),
      await personWith(world, ["AddressWatches:Create"]),
      await personWith(world, ["AddressWatches:Read"]),
      await personWith(world, ["AddressWatches:Delete"]),
    ];
    expect(await refusal("POST", PATH, BODY, nobody.call)).toEqual([403, "PermissionMissing"]);
    const { id } = await make({}, maker.call);
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/assets`, `${PATH}/${id}/history`]) {
      expect(await refusal("GET", path, undefined, maker.call)).toEqual([403, "PermissionMissing"]);
      expect((await reader.call("GET", path)).status).toBe(200);
    }
    expect(await refusal("DELETE", `${PATH}/${id}`, {}, reader.call)).toEqual([403, "PermissionMissing"]);
    expect((await deleter.call("DELETE", `${PATH}/${id}`, {})).status).toBe(200);
  });
});

describe("the history of a watched address", () => {
  const hashesIn = (body: unknown) => pageSchema.parse(body).items.map(({ txHash }) => txHash);

  it("has what came and went, newest first, in the form of a wallet's", async () => {
    const watch = await make();
    await move(watch);
    const all = pageSchema.parse(await read(`${watch.id}/history`));
    expect(all).toMatchObject({ addressWatchId: watch.id, network: "EthereumSepolia" });
    expect(hashesIn(all)).toEqual(["0x03", "0x02", "0x01"]);
    expect(all.items[1]).toEqual({
      kind: "Erc20Transfer",
      addressWatchId: watch.id,
      direction: "Out",
      network: "EthereumSepolia",
      blockNumber: 7,
      txHash: "0x02",
      index: "value",
      timestamp: "2026-01-02T00:00:00.000Z",
      metadata: { asset: { symbol: "DVT", decimals: 6 } },
      from: ADDRESS,
      to: OTHER,
      contract: TOKEN,
      value: "6",
      symbol: "DVT",
      decimals: 6,
    });
  });

  it.each([
    ["direction=Out", ["0x02"]],
    ["kind=NativeTransfer", ["0x01"]],
    [`contract=${TOKEN.toUpperCase().replace("X", "x")}`, ["0x02"]],
    ["direction=In&kind=Erc721Transfer", ["0x03"]],
  ])("is filtered by ?%s", async (query, hashes) => {
    const watch = await make();
    await move(watch);
    expect(hashesIn(await read(`${watch.id}/history?${query}`))).toEqual(hashes);
  });

  it("has pages without gap or repetition", async () => {
    const watch = await make();
    await move(watch);
    const seen: unknown[] = [];
    let next: string | undefined = "";
    while (next !== undefined) {
      const page = pageSchema.parse(await read(`${watch.id}/history?limit=1${next}`));
      seen.push(...hashesIn(page));
      next = page.nextPageToken === undefined ? undefined : `&paginationToken=${page.nextPageToken}`;
    }
    expect(seen).toEqual(["0x03", "0x02", "0x01"]);
  });
});

describe("the assets of a watched address", () => {
  it("are its coin, and of tokens that moved at it those that it has, as the node says", async () => {
    const watch = await make();
    await move(watch);
    world.chain.setBalance(1_500_000_000_000_000_000n);
    world.chain.setBalance(9n, TOKEN);
    world.chain.setToken(TOKEN, { symbol: "DVT", decimals: 6, verified: false });
    expect(await read(`${watch.id}/assets?netWorth=true`)).toMatchObject({
      addressWatchId: watch.id,
      network: "EthereumSepolia",
      assets: [
        { kind: "Native", symbol: "ETH", balance: "1500000000000000000" },
        { kind: "Erc20", contract: checksumEvmAddress(TOKEN), symbol: "DVT", balance: "9" },
      ],
      netWorth: expect.any(Object),
    });
    world.chain.setAway(true);
    expect(await refusal("GET", `${PATH}/${watch.id}/assets`)).toEqual([503, "ServiceUnavailable"]);
  });
});
