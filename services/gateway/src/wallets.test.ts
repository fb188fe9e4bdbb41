import { verify } from "node:crypto";
import { authorisedKeySchema, walletIdSchema } from "@conclave/custody";
import { freshId, listEvents, readKey, readWallet } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { errorOf, listOf, walletOf } from "./testing/bodies.ts";
import { ACTIVATED, ADDRESS, PUBLIC_KEY, startWorld, type World } from "./testing/world.ts";

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

  it("answers 503 and writes nothing while the bus is away", async () => {
    const rows = await world.rows();
    world.bus.setConnected(false);
    const { status, body } = await world.call("POST", "/wallets", sepolia);
    expect([status, errorOf(body).details.code, await world.rows()]).toEqual([
      503,
      "ServiceUnavailable",
      rows,
    ]);
  });
});

describe("GET /wallets", () => {
  it("INV-11 shows an organisation its own wallets only", async () => {
    const own = walletOf((await world.call("POST", "/wallets", sepolia)).body).id;
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const list = await world.call("GET", "/wallets", undefined, strange);
    expect(listOf(list.body).items).toEqual([]);
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
});
