import { verify } from "node:crypto";
import { authorisedKeySchema, keyIdSchema, userIdSchema, walletIdSchema } from "@conclave/custody";
import { freshId, listEvents, readKey, readWallet } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { errorOf, listOf, walletOf } from "../testing/bodies.ts";
import { ACTIVATED, ADDRESS, PUBLIC_KEY, startWorld, type World } from "../testing/world.ts";

const sepolia = { network: "EthereumSepolia" };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => {
  world.script(ACTIVATED);
  world.bus.setConnected(true);
});
afterAll(() => world.stop());

describe("POST /wallets", () => {
  it("answers the wallet once the signers have made its key", async () => {
    const { status, body } = await world.call("POST", "/wallets", {
      ...sepolia,
      name: "treasury",
      tags: ["a"],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^wa-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      network: "EthereumSepolia",
      status: "Active",
      name: "treasury",
      address: ADDRESS,
      signingKey: {
        id: expect.stringMatching(/^key-/),
        scheme: "ECDSA",
        curve: "secp256k1",
        publicKey: PUBLIC_KEY,
      },
      custodial: true,
      imported: false,
      exported: false,
      tags: ["a"],
      dateCreated: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await listEvents(world.database, walletOf(body).id)).map(({ kind }) => kind)).toEqual([
      "wallet.created",
    ]);
  });

  it("INV-8 stores what it authorised, signed by the authority, with the policy decision in it", async () => {
    const { body } = await world.call("POST", "/wallets", sepolia);
    const wallet = await readWallet(world.database, walletIdSchema.parse(walletOf(body).id));
    if (wallet === undefined) throw new Error("the wallet is gone");
    const key = await readKey(world.database, wallet.keyId);
    if (key === undefined) throw new Error("the key is gone");
    const { payload, signature } = key.authorisation;
    expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
    expect(authorisedKeySchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")))).toMatchObject({
      keyId: wallet.keyId,
      scheme: "ECDSA",
      orgId: world.caller.orgId,
      threshold: 3,
      policy: { outcome: "Allowed", policies: [] },
    });
  });

  it("answers the signers' problem, and the wallet is nowhere to be seen", async () => {
    world.script({
      kind: "GenerationFailed",
      problem: {
        code: "SignersUnavailable",
        message: "Not enough signers are live.",
        details: { unavailable: ["signer-4"] },
      },
    });
    const before = listOf((await world.call("GET", "/wallets")).body).items.length;
    const { status, body } = await world.call("POST", "/wallets", { ...sepolia, externalId: "down" });
    expect([status, errorOf(body).details.code, errorOf(body).details["unavailable"]]).toEqual([
      503,
      "SignersUnavailable",
      ["signer-4"],
    ]);
    expect(listOf((await world.call("GET", "/wallets")).body).items).toHaveLength(before);
    world.script(ACTIVATED);
    expect((await world.call("POST", "/wallets", { ...sepolia, externalId: "down" })).status).toBe(200);
  });

  it("answers RequestInProgress with the wallet's id when the key takes longer than it waits", async () => {
    world.script(undefined);
    const { status, body } = await world.call("POST", "/wallets", sepolia);
    const { details } = errorOf(body);
    expect([status, details.code]).toEqual([503, "RequestInProgress"]);
    const read = await world.call("GET", `/wallets/${details["walletId"]}`);
    expect([read.status, errorOf(read.body).details.code]).toEqual([404, "WalletNotFound"]);
  });

  it("answers the same wallet for the same body and externalId, also to requests at the same time", async () => {
    const body = { ...sepolia, externalId: "once" };
    const answers = await Promise.all([1, 2, 3].map(() => world.call("POST", "/wallets", body)));
    const again = await world.call("POST", "/wallets", body);
    expect([...answers, again].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set([...answers, again].map((answer) => walletOf(answer.body).id)).size).toBe(1);
  });

  it("refuses another body under a used externalId, naming the wallet that has it", async () => {
    const first = await world.call("POST", "/wallets", { ...sepolia, externalId: "mine", name: "a" });
    const rows = await world.rows();
    const second = await world.call("POST", "/wallets", { ...sepolia, externalId: "mine", name: "b" });
    expect([second.status, errorOf(second.body).details.code]).toEqual([409, "ExternalIdConflict"]);
    expect(errorOf(second.body).details["duplicate"]).toEqual({
      id: walletOf(first.body).id,
      externalId: "mine",
    });
    expect(await world.rows()).toBe(rows);
  });

  it("INV-5 answers with the active wallet although the bus is away, and nobody hears that it is made", async () => {
    world.bus.setConnected(false);
    const { status, body } = await world.call("POST", "/wallets", sepolia);
    expect([status, walletOf(body)["status"]]).toEqual([200, "Active"]);
  });
});

describe("the key of a new wallet", () => {
  it.each([
    ["KeyECDSA", undefined, "ECDSA"],
    ["KeyEdDSA", undefined, "EdDSA"],
    ["EthereumSepolia", { scheme: "ECDSA", curve: "secp256k1" }, "ECDSA"],
  ])("on %s that asks for %o is %s; pseudo networks give no address", async (network, signingKey, scheme) => {
    const { status, body } = await world.call("POST", "/wallets", { network, signingKey });
    expect([status, body]).toMatchObject([200, { network, signingKey: { scheme } }]);
    expect("address" in Object(body)).toBe(network === "EthereumSepolia");
  });

  it("may be one that there is: one wallet a network, active at once", async () => {
    const first = (await world.call("POST", "/wallets", sepolia)).body;
    const id = keyIdSchema.parse(Object(first).signingKey.id);
    world.script(undefined);
    const body = { network: "KeyECDSA", signingKey: { id }, externalId: "second" };
    const answers = [await world.call("POST", "/wallets", body), await world.call("POST", "/wallets", body)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[0]?.body).toMatchObject({ signingKey: Object(first).signingKey });
    const kinds = await listEvents(world.database, walletOf(answers[0]?.body).id);
    expect(kinds.map(({ kind }) => kind)).toEqual(["wallet.created"]);
    const third = await world.call("POST", "/wallets", { ...sepolia, signingKey: { id } });
    expect([third.status, errorOf(third.body).details]).toMatchObject([
      409,
      { code: "KeyNetworkTaken", duplicate: { id: walletOf(first).id } },
    ]);
  });

  it("has its own address on a chain, also when it was made without a wallet", async () => {
    // the generator of secp256k1, whose address is widely known
    const publicKey = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    world.script({ kind: "Activated", publicKey, date: new Date().toISOString() });
    const { body: key } = await world.call("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
    const { body } = await world.call("POST", "/wallets", {
      ...sepolia,
      signingKey: { id: walletOf(key).id },
    });
    expect(body).toMatchObject({ address: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf" });
  });

  it("INV-9 INV-11 is refused, and nothing is written, when it does not fit or is not there", async () => {
    const own = Object((await world.call("POST", "/wallets", sepolia)).body).signingKey.id;
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const theirs = Object((await world.call("POST", "/wallets", sepolia, strange)).body).signingKey.id;
    const edwards = Object((await world.call("POST", "/wallets", { network: "KeyEdDSA" })).body).signingKey
      .id;
    const cases: readonly (readonly [object, number, string])[] = [
      [{ network: "KeyECDSA", signingKey: { id: theirs } }, 404, "KeyNotFound"],
      [{ network: "KeyECDSA", signingKey: { id: freshId(keyIdSchema, "key") } }, 404, "KeyNotFound"],
      [{ network: "KeyECDSA", signingKey: { id: "key-1" } }, 400, "InvalidBody"],
      [{ ...sepolia, signingKey: { id: edwards } }, 400, "KeyFormatMismatch"],
      [{ network: "KeyECDSA", signingKey: { id: own, scheme: "Schnorr" } }, 400, "KeyFormatMismatch"],
      [{ network: "KeyECDSA", signingKey: { id: own }, delayDelegation: true }, 400, "KeyOptionsMismatch"],
      [{ ...sepolia, signingKey: { scheme: "EdDSA" } }, 400, "KeyFormatMismatch"],
      [{ ...sepolia, signingKey: { curve: "stark" } }, 400, "KeyFormatMismatch"],
      [{ ...sepolia, signingKey: { storeId: "ks-1" } }, 400, "KeyStoreUnknown"],
      [{ ...sepolia, signingKey: { deriveFrom: { keyId: own } } }, 400, "KeyDerivationNotSupported"],
      [{ ...sepolia, delegateTo: freshId(userIdSchema, "us") }, 400, "DelegateUnknown"],
      [{ network: "KeyECDSAStark" }, 400, "NetworkNotEnabled"],
    ];
    for (const [body, status, code] of cases) {
      const rows = await world.rows();
      const answer = await world.call("POST", "/wallets", body);
      expect([answer.status, errorOf(answer.body).details.code, await world.rows()]).toEqual([
        status,
        code,
        rows,
      ]);
    }
  });
});

describe("PUT /wallets/{walletId}", () => {
  it("gives another name and externalId, and takes them away; what is left out stays", async () => {
    const { id } = walletOf((await world.call("POST", "/wallets", { ...sepolia, externalId: "put-1" })).body);
    const put = (body: unknown) => world.call("PUT", `/wallets/${id}`, body);
    expect((await put({ name: "b" })).body).toMatchObject({ name: "b", externalId: "put-1" });
    expect((await put({ externalId: "put-2" })).body).toMatchObject({ name: "b", externalId: "put-2" });
    const { body } = await put({ name: null, externalId: null });
    expect([Object(body).name, Object(body).externalId]).toEqual([undefined, undefined]);
    expect((await put({})).status).toBe(200);
  });

  it("refuses an externalId that another wallet has, and changes nothing", async () => {
    await world.call("POST", "/wallets", { ...sepolia, externalId: "put-3" });
    const { body } = await world.call("POST", "/wallets", sepolia);
    const path = `/wallets/${walletOf(body).id}`;
    const answer = await world.call("PUT", path, { name: "x", externalId: "put-3" });
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([409, "ExternalIdConflict"]);
    expect((await world.call("GET", path)).body).toEqual(body);
  });

  it("INV-6 adds and removes tags with one event each, and none for what changes nothing", async () => {
    const { id } = walletOf((await world.call("POST", "/wallets", { ...sepolia, tags: ["a"] })).body);
    const tags = (method: string, ...names: readonly string[]) =>
      world.call(method, `/wallets/${id}/tags`, { tags: names });
    expect((await tags("PUT", "a", "b")).body).toEqual({});
    expect((await tags("DELETE", "a")).body).toEqual({});
    expect((await tags("DELETE", "a")).body).toEqual({});
    expect((await world.call("GET", `/wallets/${id}`)).body).toMatchObject({ tags: ["b"] });
    const events = (await listEvents(world.database, id)).filter(
      ({ kind }) => kind === "wallet.tags.modified",
    );
    expect(events.map(({ data }) => [data["tagsAdded"], data["tagsRemoved"]])).toEqual([
      [["b"], []],
      [[], ["a"]],
    ]);
    const over = await tags("PUT", ...Array.from("cdefghijkl"));
    expect([over.status, errorOf(over.body).details.code]).toEqual([400, "TagsTooMany"]);
  });

  it("INV-9 INV-11 refuses what is not valid, and wallets of others, and writes nothing", async () => {
    const { id } = walletOf((await world.call("POST", "/wallets", sepolia)).body);
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const cases: readonly (readonly [string, string, object, string])[] = [
      ["PUT", "", { name: "" }, "InvalidBody"],
      ["PUT", "", { name: 1 }, "InvalidBody"],
      ["PUT", "", { externalId: "e".repeat(101) }, "InvalidBody"],
      ["PUT", "", { name: "a", tags: [] }, "InvalidBody"],
      ["PUT", "/tags", {}, "InvalidBody"],
      ["PUT", "/tags", { tags: [] }, "InvalidBody"],
      ["PUT", "/tags", { tags: ["a b"] }, "InvalidBody"],
      ["DELETE", "/tags", { tags: "a" }, "InvalidBody"],
      ["DELETE", "/tags", { tags: ["a"], x: 1 }, "InvalidBody"],
      ["POST", "/delegate", { userId: "bob" }, "InvalidBody"],
    ];
    for (const [method, path, body, code] of cases) {
      const rows = await world.rows();
      const answer = await world.call(method, `/wallets/${id}${path}`, body);
      expect([answer.status, errorOf(answer.body).details.code, await world.rows()]).toEqual([
        400,
        code,
        rows,
      ]);
    }
    const valid = [
      ["PUT", "", { name: "x" }],
      ["PUT", "/tags", { tags: ["x"] }],
      ["DELETE", "/tags", { tags: ["x"] }],
      ["POST", "/delegate", { userId: world.caller.userId }],
    ] as const;
    for (const [method, path, body] of valid) {
      const rows = await world.rows();
      const answer = await world.call(method, `/wallets/${id}${path}`, body, strange);
      expect([answer.status, errorOf(answer.body).details.code, await world.rows()]).toEqual([
        404,
        "WalletNotFound",
        rows,
      ]);
    }
  });
});

describe("GET /wallets", () => {
  it("INV-11 shows an organisation its own wallets only", async () => {
    const own = walletOf((await world.call("POST", "/wallets", sepolia)).body).id;
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const list = await world.call("GET", "/wallets", undefined, strange);
    expect(listOf(list.body).items.map(({ id }) => id)).not.toContain(own);
    const read = await world.call("GET", `/wallets/${own}`, undefined, strange);
    const unknown = await world.call("GET", `/wallets/${freshId(walletIdSchema, "wa")}`, undefined, strange);
    expect([read.status, unknown.status]).toEqual([404, 404]);
    expect(errorOf(read.body).message).toBe(errorOf(unknown.body).message);
  });

  it("pages through all wallets, newest first, although new ones come in between", async () => {
    for (let index = 0; index < 3; index += 1) await world.call("POST", "/wallets", sepolia);
    const all = listOf((await world.call("GET", "/wallets?limit=500")).body).items.map(({ id }) => id);
    const seen: string[] = [];
    let path: string | undefined = "/wallets?limit=2";
    while (path !== undefined) {
      const page = listOf((await world.call("GET", path)).body);
      seen.push(...page.items.map(({ id }) => id));
      if (seen.length === 2) await world.call("POST", "/wallets", sepolia);
      path =
        page.nextPageToken === undefined
          ? undefined
          : `/wallets?limit=2&paginationToken=${page.nextPageToken}`;
    }
    expect(seen).toEqual(all);
  });

  it.each([
    ["limit=0", "InvalidParameter"],
    ["limit=501", "InvalidParameter"],
    ["limit=-1", "InvalidParameter"],
    ["limit=1.5", "InvalidParameter"],
    ["limit=", "InvalidParameter"],
    ["limit=1&limit=2", "InvalidParameter"],
    ["paginationToken=AAAA", "PaginationTokenInvalid"],
    [
      `paginationToken=${Buffer.from('{"ms":-1,"id":"wa-00000-00000-0000000000000000"}').toString("base64url")}`,
      "PaginationTokenInvalid",
    ],
    [
      `paginationToken=${Buffer.from('{"ms":1,"id":"\\u0000"}').toString("base64url")}`,
      "PaginationTokenInvalid",
    ],
  ])("with %s is refused", async (query, code) => {
    const { status, body } = await world.call("GET", `/wallets?${query}`);
    expect([status, errorOf(body).details.code]).toEqual([400, code]);
  });

  it.each(["0", "501", "1000", "1.5"])("says of a limit of %s which ones there are", async (limit) => {
    const { body } = await world.call("GET", `/wallets?limit=${limit}`);
    expect(errorOf(body).details["issues"]).toEqual([
      { path: "limit", message: "is not a whole number from 1 to 500" },
    ]);
  });
});
