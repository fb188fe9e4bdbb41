import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { watchedDatabase } from "./fuzz/watched-database.ts";
import { errorOf, walletOf } from "./testing/bodies.ts";
import { ADDRESS, startWorld, type World } from "./testing/world.ts";

let world: World;
let watch: ReturnType<typeof watchedDatabase>;
let wallet: string;
beforeAll(async () => {
  world = await startWorld({
    wrapDatabase: (database) => {
      watch = watchedDatabase(database);
      return watch.database;
    },
  });
  wallet = `/wallets/${walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body).id}`;
});
afterAll(() => world.stop());

/** The status and the code of an answer, each statement that changed something, and how often the node was asked. */
const refusal = async (method: string, path: string, body: unknown) => {
  const asked = [vi.spyOn(world.chain, "callFunction"), vi.spyOn(world.chain, "callContract")];
  const [answer, { statements }] = await watch.during(() => world.call(method, path, body));
  const calls = asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const each of asked) each.mockRestore();
  // errorOf demands a message and a remedy
  return { status: answer.status, code: errorOf(answer.body).details.code, statements, calls };
};
const refused = (status: number, code: string) => ({ status, code, statements: [], calls: 0 });

const many = <T>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at));
const nested = (depth: number): unknown => (depth === 0 ? "1" : [nested(depth - 1)]);
const input = (type: string) => ({ name: "it", type });
const tuple = (depth: number): object =>
  depth === 0 ? input("uint8") : { ...input("tuple"), components: [tuple(depth - 1)] };
const call = (inputs: readonly object[], calldata: unknown) => ({
  contract: ADDRESS,
  abi: { type: "function", name: "f", stateMutability: "view", inputs, outputs: [] },
  calldata,
});
const typed = (types: object, message: object) => ({
  kind: "Eip712",
  types,
  domain: { name: "x" },
  message,
});
const MAIL = { Mail: [{ name: "text", type: "string[]" }] };
const wide = many(64, (at) => ({ name: `f${at}${"x".repeat(50)}`, type: "uint256" }));
const policy = (rule: object) => ({
  name: "p",
  activityKind: "Wallets:Sign",
  rule,
  action: { kind: "Block" },
});
const whitelist = (addresses: readonly string[]) =>
  policy({ kind: "TransactionRecipientWhitelist", configuration: { addresses } });

describe("INV-9 K8 a call of a contract is refused, and its node is not asked,", () => {
  it.each<readonly [string, object]>([
    ["of 480 000 elements", call([input("uint8[]")], [many(480_000, () => 1)])],
    ["of one element more than fits", call([input("uint8[]")], [many(2_047, () => 1)])],
    ["of lists 17 deep", call([input(`uint8${"[]".repeat(17)}`)], [nested(17)])],
    ["of lists a thousand deep", call([input("uint8[]")], [nested(1_000)])],
    ["of a text of 300 001 characters", call([input("string")], ["a".repeat(300_001)])],
    ["of a field whose name is that long", call([input("string")], { ["a".repeat(300_001)]: "a" })],
    [
      "of 65 arguments",
      call(
        many(65, () => input("bool")),
        many(65, () => true),
      ),
    ],
    ["with tuples 20 deep in its ABI", call([tuple(20)], [nested(20)])],
    [
      "with 20 000 inputs in its ABI",
      call(
        many(20_000, () => input("bool")),
        [],
      ),
    ],
    ["with a type of 40 000 characters", call([input(`uint8${"[1]".repeat(13_333)}`)], [1])],
  ])("%s", async (_, body) => {
    const path = "/networks/EthereumSepolia/call-function";
    expect(await refusal("POST", path, body)).toEqual(refused(400, "InvalidBody"));
  });

  it("of call data that no node takes", async () => {
    const data = `0x${"00".repeat(65_536)}`;
    const body = { kind: "Evm", network: "EthereumSepolia", contract: ADDRESS, data };
    expect(await refusal("POST", "/networks/read-contract", body)).toEqual(refused(400, "InvalidBody"));
  });
});

describe("INV-9 K8 typed data are refused, and nothing changes,", () => {
  it.each<readonly [string, object, string]>([
    [
      "with 65 structs",
      typed(Object.fromEntries(many(65, (at) => [`S${at}`, [input("bool")]])), { it: true }),
      "InvalidBody",
    ],
    [
      "with 65 fields in one",
      typed({ Mail: many(65, (at) => ({ name: `f${at}`, type: "bool" })) }, {}),
      "InvalidBody",
    ],
    ["with types of more than 16 KiB", typed({ A: wide, B: wide, C: wide, D: wide }, {}), "InvalidBody"],
    ["with a message of 2049 values", typed(MAIL, { text: many(2_048, () => "") }), "InvalidBody"],
    ["with a text of more than 48 KiB", typed(MAIL, { text: ["a".repeat(48 * 1_024)] }), "InvalidBody"],
    ["with a message 17 deep", typed({ Mail: [input("bool")] }, { it: nested(17) }), "InvalidBody"],
    [
      "whose structs take too long to hash",
      typed(
        {
          Mail: [
            { name: "all", type: "P[]" },
            { name: "none", type: "W[]" },
          ],
          P: [],
          W: wide,
        },
        { all: many(170, () => ({})), none: [] },
      ),
      "TypedDataInvalid",
    ],
  ])("%s", async (_, body, code) => {
    expect(await refusal("POST", `${wallet}/signatures`, body)).toEqual(refused(400, code));
  });
});

describe("INV-9 K8 whatever is longer than its bound is refused, and nothing changes:", () => {
  const native = { kind: "Native", to: ADDRESS, amount: "1" };
  const hex = (bytes: number) => `0x${"11".repeat(bytes)}`;
  it.each<readonly [string, string, string | (() => string), object]>([
    ["a whitelist of 10 001 addresses", "POST", "/v2/policies", whitelist(many(10_001, () => ADDRESS))],
    ["a whitelist of one address without end", "POST", "/v2/policies", whitelist(["a".repeat(100_000)])],
    ["a tag of 100 000 characters", "PUT", () => `${wallet}/tags`, { tags: ["t".repeat(100_000)] }],
    ["a thousand tags", "PUT", () => `${wallet}/tags`, { tags: many(1_000, (at) => `t${at}`) }],
    [
      "a wallet's externalId",
      "POST",
      "/wallets",
      { network: "EthereumSepolia", externalId: "e".repeat(100_000) },
    ],
    [
      "a transfer's externalId",
      "POST",
      () => `${wallet}/transfers`,
      { ...native, externalId: "e".repeat(100_000) },
    ],
    ["a transfer's memo", "POST", () => `${wallet}/transfers`, { ...native, memo: "m".repeat(500_000) }],
    ["a transfer's amount", "POST", () => `${wallet}/transfers`, { ...native, amount: "9".repeat(500_000) }],
    [
      "a transaction",
      "POST",
      () => `${wallet}/transactions`,
      { kind: "Transaction", transaction: hex(400_000) },
    ],
    ["a message", "POST", () => `${wallet}/signatures`, { kind: "Message", message: hex(500_000) }],
    [
      "a permission's operations",
      "POST",
      "/permissions",
      { name: "p", operations: many(5_000, () => "Wallets:Read") },
    ],
    [
      "a webhook's address",
      "POST",
      "/webhooks",
      { url: `https://a.example/${"a".repeat(100_000)}`, events: ["*"] },
    ],
  ])("%s", async (_, method, path, body) => {
    const { status, statements, calls } = await refusal(
      method,
      typeof path === "string" ? path : path(),
      body,
    );
    expect([status, statements, calls]).toEqual([400, [], 0]);
  });

  it("the 501st policy", async () => {
    expect(
      (await world.call("POST", "/v2/policies", policy({ kind: "AlwaysTrigger", configuration: {} }))).status,
    ).toBe(200);
    await world.database.execute(
      "insert into policies select (jsonb_populate_record(p, jsonb_build_object('id', p.id || n))).* from policies p, generate_series(1, 499) n",
    );
    const one = policy({ kind: "AlwaysTrigger", configuration: {} });
    expect(await refusal("POST", "/v2/policies", one)).toEqual(refused(422, "TooManyPolicies"));
    await world.database.execute("delete from policies");
  });
});
