import { generateKeyPairSync } from "node:crypto";
import { organisationIdSchema, walletIdSchema } from "@conclave/custody";
import { freshId, issueToken } from "@conclave/platform";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, walletOf } from "./testing/bodies.ts";
import { ADDRESS, CLUSTER, startWorld, type World } from "./testing/world.ts";

const native = { kind: "Native", to: ADDRESS, amount: "1" };
const MEBIBYTE = 1_048_576;

let world: World;
let path: string;
let strangersPath: string;
beforeAll(async () => {
  world = await startWorld();
  const own = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  path = `/wallets/${walletOf(own.body).id}/transfers`;
  const strange = { authorization: `Bearer ${world.strangersToken}` };
  const theirs = await world.call("POST", "/wallets", { network: "EthereumSepolia" }, strange);
  strangersPath = `/wallets/${walletOf(theirs.body).id}/transfers`;
});
afterAll(() => world.stop());

/** The status and code of an answer, and the number of rows that the request wrote. */
const refusal = async (...request: Parameters<World["call"]>) => {
  const before = await world.rows();
  const { status, body } = await world.call(...request);
  return { status, code: errorOf(body).details.code, written: (await world.rows()) - before };
};

describe("INV-9 a wallet is refused, and nothing is written,", () => {
  it.each([
    ["for an unknown network", { network: "Nowhere" }, "NetworkUnknown"],
    ["for a network that is not served", { network: "Ethereum" }, "NetworkNotEnabled"],
    ["without a network", {}, "InvalidBody"],
    ["for a network that is not text", { network: 1 }, "InvalidBody"],
    ["with an unknown field", { network: "EthereumSepolia", colour: "red" }, "InvalidBody"],
    ["with a name of 101 characters", { network: "EthereumSepolia", name: "n".repeat(101) }, "InvalidBody"],
    ["with a NUL in its name", { network: "EthereumSepolia", name: "a\u0000b" }, "InvalidBody"],
    ["with eleven tags", { network: "EthereumSepolia", tags: Array.from("abcdefghijk") }, "InvalidBody"],
    ["when the body is null", "null", "InvalidBody"],
    ["when the body is an array", [], "InvalidBody"],
    ["when the body is not JSON", "{", "InvalidJson"],
    ["when the body is empty", "", "InvalidBody"],
  ])("%s", async (_, body, code) => {
    expect(await refusal("POST", "/wallets", body)).toEqual({ status: 400, code, written: 0 });
  });

  it("names every field that is wrong", async () => {
    const { body } = await world.call("POST", "/wallets", { network: 1, name: "", colour: "red" });
    expect(errorOf(body).details["issues"]).toEqual([
      { path: "network", message: expect.any(String) },
      { path: "name", message: expect.any(String) },
      { path: "", message: expect.stringContaining("colour") },
    ]);
  });

  it("when the content type is not JSON", async () => {
    expect(await refusal("POST", "/wallets", "network=x", { "content-type": "text/plain" })).toEqual({
      status: 415,
      code: "UnsupportedContentType",
      written: 0,
    });
  });
});

describe("INV-9 a transfer is refused, and nothing is written,", () => {
  const withDigits = (change: (address: string) => string) => ({ ...native, to: change(ADDRESS) });
  it.each([
    ["to an address that is too short", withDigits((text) => text.slice(0, -1)), "AddressInvalid"],
    ["to an address without 0x", withDigits((text) => text.slice(2)), "AddressInvalid"],
    ["to a name", { ...native, to: "vitalik.eth" }, "AddressInvalid"],
    [
      "to an address with a wrong checksum",
      withDigits((text) => text.replace("aA", "AA")),
      "AddressChecksum",
    ],
    [
      "of a contract with a wrong checksum",
      { ...native, kind: "Erc20", contract: ADDRESS.replace("aA", "AA") },
      "AddressChecksum",
    ],
    ["of a negative amount", { ...native, amount: "-1" }, "AmountInvalid"],
    ["of a fractional amount", { ...native, amount: "1.5" }, "AmountInvalid"],
    ["of nothing", { ...native, amount: "0" }, "AmountInvalid"],
    ["of 2^256", { ...native, amount: (2n ** 256n).toString() }, "AmountInvalid"],
    ["of an amount in scientific notation", { ...native, amount: "1e18" }, "AmountInvalid"],
    ["of an amount that is a number", { ...native, amount: 1 }, "InvalidBody"],
    ["with an amount of 300 digits", { ...native, amount: "9".repeat(300) }, "InvalidBody"],
    ["without a kind", { to: ADDRESS, amount: "1" }, "InvalidBody"],
    ["of a kind that nobody knows", { ...native, kind: "Erc9999" }, "InvalidBody"],
    [
      "of a token of another family",
      { kind: "Asa", assetId: "1", to: "A", amount: "1" },
      "TransferKindNotSupported",
    ],
    [
      "of a token kind that is not served",
      { kind: "Trc721", contract: ADDRESS, to: ADDRESS, tokenId: "1" },
      "TransferKindNotSupported",
    ],
    ["with a priority that does not exist", { ...native, priority: "Urgent" }, "InvalidBody"],
    [
      "with a priority on a kind that has none",
      { kind: "Trc20", contract: "T", to: "T", amount: "1", priority: "Fast" },
      "InvalidBody",
    ],
    ["with a memo on an EVM network", { ...native, memo: "42" }, "MemoNotSupported"],
    ["with an unknown field", { ...native, gas: "1" }, "InvalidBody"],
    [
      "with a prototype for a field",
      `{"kind":"Native","to":"${ADDRESS}","amount":"1","__proto__":{"x":1}}`,
      "InvalidBody",
    ],
    ["with an externalId of 51 characters", { ...native, externalId: "e".repeat(51) }, "InvalidBody"],
    ["with half a surrogate pair", { ...native, externalId: "\ud800" }, "InvalidBody"],
    ["in JSON nested half a million deep", `${"[".repeat(500_000)}${"]".repeat(500_000)}`, "InvalidBody"],
    [
      "with half a million unknown fields",
      `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
      "InvalidBody",
    ],
  ])("%s", async (_, body, code) => {
    expect(await refusal("POST", path, body)).toEqual({ status: 400, code, written: 0 });
  });

  it("INV-11 from a wallet of another organisation", async () => {
    expect(await refusal("POST", strangersPath, native)).toEqual({
      status: 404,
      code: "WalletNotFound",
      written: 0,
    });
  });

  it("from a wallet that does not exist", async () => {
    const nowhere = `/wallets/${freshId(walletIdSchema, "wa")}/transfers`;
    expect(await refusal("POST", nowhere, native)).toEqual({
      status: 404,
      code: "WalletNotFound",
      written: 0,
    });
  });

  it.each(["wa-1", "xfr-00000-00000-0000000000000000", "%00", "%F0%28", "..%2f..", "a".repeat(5_000)])(
    "from a wallet called %s",
    async (id) => {
      expect(await refusal("POST", `/wallets/${id}/transfers`, native)).toEqual({
        status: 400,
        code: "InvalidParameter",
        written: 0,
      });
    },
  );

  it("when its body is one byte over the limit, with or without a declared length", async () => {
    const body = `"${"a".repeat(MEBIBYTE - 1)}"`;
    const declared = { "content-length": String(body.length) };
    const expected = { status: 413, code: "BodyTooLarge", written: 0 };
    expect(await refusal("POST", path, body)).toEqual(expected);
    expect(await refusal("POST", path, body, declared)).toEqual(expected);
  });

  it("and when its body is just at the limit it is judged like any other", async () => {
    expect(await refusal("POST", path, `"${"a".repeat(MEBIBYTE - 2)}"`)).toEqual({
      status: 400,
      code: "InvalidBody",
      written: 0,
    });
  });

  it("but duplicate keys count as the last of them", async () => {
    const { status, body } = await world.call(
      "POST",
      path,
      `{"kind":"Native","to":"${ADDRESS}","amount":"x","amount":"7"}`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ requestBody: { amount: "7" } });
  });
});

describe("INV-9 a caller is refused, and nothing is written,", () => {
  const other = generateKeyPairSync("ed25519").privateKey;
  const claims = () => ({
    clusterId: CLUSTER,
    caller: world.caller,
    username: "test",
    issuedAt: new Date(),
    lifetimeSeconds: 60,
  });
  const unsigned = () => {
    const [, payload] = world.token.split(".");
    return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  };
  const tampered = () => {
    const [header, payload, signature = ""] = world.token.split(".");
    return `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  };
  const cases: readonly (readonly [string, () => string | Promise<string>, string])[] = [
    ["without a token", () => "", "TokenMissing"],
    ["with another scheme", () => "Basic dXNlcjpwYXNz", "TokenMissing"],
    ["with a token that is not one", () => "Bearer nonsense", "TokenInvalid"],
    ["with a tampered token", () => `Bearer ${tampered()}`, "TokenInvalid"],
    ["with an unsigned token (alg none)", () => `Bearer ${unsigned()}`, "TokenInvalid"],
    [
      "with a token of a foreign key",
      async () => `Bearer ${await issueToken(other, claims())}`,
      "TokenInvalid",
    ],
    [
      "with an expired token",
      async () => `Bearer ${await world.tokenFor(world.caller.orgId, -1)}`,
      "TokenExpired",
    ],
    [
      "with a token of an organisation that does not exist",
      async () => `Bearer ${await world.tokenFor(freshId(organisationIdSchema, "or"))}`,
      "TokenInvalid",
    ],
  ];
  it.each(cases)("%s", async (_, authorization, code) => {
    const headers = { authorization: await authorization() };
    const expected = { status: 401, code, written: 0 };
    expect(await refusal("POST", path, native, headers)).toEqual(expected);
    expect(await refusal("GET", "/wallets", undefined, headers)).toEqual(expected);
  });
});

describe("INV-9 of anything that is sent,", () => {
  const anything = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record(
        {
          kind: fc.constantFrom("Native", "Erc20", "Erc721", "Asa", "Sep41", "Trc10"),
          to: fc.oneof(fc.string({ unit: "binary" }), fc.constant(ADDRESS)),
          contract: fc.oneof(fc.string({ unit: "binary" }), fc.constant(ADDRESS)),
          amount: fc.oneof(fc.string({ unit: "binary" }), fc.bigInt().map(String), fc.constant("1")),
          priority: fc.oneof(fc.constantFrom("Slow", "Standard", "Fast"), fc.anything()),
          memo: fc.string({ unit: "binary" }),
          externalId: fc.string({ unit: "binary" }),
          network: fc.oneof(fc.string({ unit: "binary" }), fc.constant("EthereumSepolia")),
          name: fc.string({ unit: "binary" }),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each))),
  );

  it("no body makes a transfer answer 5xx", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        expect((await world.call("POST", path, body)).status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });

  it("no body makes a wallet answer 5xx", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        expect((await world.call("POST", "/wallets", body)).status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });

  it("no query makes a list answer 5xx", async () => {
    const token = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
      fc
        .record({
          ms: fc.oneof(fc.maxSafeNat(), fc.double()),
          id: fc.constant("wa-00000-00000-0000000000000000"),
        })
        .map((cursor) => Buffer.from(JSON.stringify(cursor)).toString("base64url")),
    );
    await fc.assert(
      fc.asyncProperty(
        token,
        fc.oneof(fc.string(), fc.integer().map(String)),
        async (paginationToken, limit) => {
          const query = new URLSearchParams({ paginationToken, limit });
          expect((await world.call("GET", `/wallets?${query}`)).status).toBeLessThan(500);
          expect(
            (await world.call("GET", `${path}?paginationToken=${encodeURIComponent(paginationToken)}`))
              .status,
          ).toBeLessThan(500);
        },
      ),
      { numRuns: 40 },
    );
  });
});
