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

/** The status and the code of an answer, the statements that changed something, and the number of calls to the node. */
const refusal = async (method: string, path: string, body: unknown) => {
  const asked = [vi.spyOn(world.chain, "callFunction"), vi.spyOn(world.chain, "callContract")];
  const [answer, { statements }] = await watch.during(() => world.call(method, path, body));
  const calls = asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const each of asked) each.mockRestore();
  // errorOf requires a message and a remedy
  return { status: answer.status, code: errorOf(answer.body).details.code, statements, calls };
};
const refused = (status: number, code: string) => ({ status, code, statements: [], calls: 0 });

const many = <T>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at));
const nested = (depth: number): unknown => (depth === 0 ? "1" : [nested(depth - 1)]);
const input = (type: string) => ({ name: "it", type });
const tuple = (depth: number): object =>
  depth === 0 ? input("uint8") : { ...input("tuple"), components: [tuple(depth - 1)] };
const inputs = (count: number) => many(count, () => input("bool"));
const wideTuple = (fields: number, nameLength = 1) => ({
  ...input("tuple"),
  components: many(fields, () => ({ name: "n".repeat(nameLength), type: "bool" })),
});
const call = (parameters: readonly object[], calldata: unknown) => ({
  contract: ADDRESS,
  abi: { type: "function", name: "f", stateMutability: "view", inputs: parameters, outputs: [] },
  calldata,
});
const typed = (types: object, message: object, domain: object = { name: "x" }) => ({
  kind: "Eip712",
  types,
  domain,
  message,
});
/** Typed data of one struct with one field. */
const field = (name: string, type: string, value: unknown = true) =>
  typed({ Mail: [{ name, type }] }, { [name]: value });
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
    // the list of arguments and the argument itself count as values too
    ["of one element more than fits", call([input("uint8[]")], [many(1_023, () => 1)])],
    ["of lists 17 deep", call([input("uint8[]")], [nested(16)])],
    ["of lists a thousand deep", call([input("uint8[]")], [nested(1_000)])],
    ["of a text of 300 001 characters", call([input("string")], ["a".repeat(300_001)])],
    ["of a field whose name is that long", call([input("string")], { ["a".repeat(300_001)]: "a" })],
    ["of a tuple's field whose name is that long", call([tuple(1)], [{ ["a".repeat(300_001)]: "a" }])],
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
    ["of a text of two characters more than fit", call([input("bytes")], [`0x${"00".repeat(75_000)}`])],
    ["of 65 arguments for one input", call([input("bool")], inputs(65))],
    ["with 65 inputs in its ABI", call(inputs(65), [])],
    ["with tuples five deep in its ABI", call([tuple(5)], [])],
    ["with a list of 100 elements in its ABI", call([input("uint8[100]")], [])],
    ["with a name of 129 characters in its ABI", call([{ ...input("bool"), name: "n".repeat(129) }], [true])],
    // a function counts as six values itself, a parameter as three, and a tuple's components as one more
    ["with one value more in its ABI than fits", call([...many(5, () => wideTuple(64)), ...inputs(13)], [])],
    [
      "with 42 000 characters in its ABI",
      call(
        many(5, () => wideTuple(60, 128)),
        [],
      ),
    ],
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
    // the message and its list count as values too
    ["with a message of 2049 values", typed(MAIL, { text: many(2_047, () => "") }), "InvalidBody"],
    ["with a text of more than 48 KiB", typed(MAIL, { text: ["a".repeat(48 * 1_024)] }), "InvalidBody"],
    ["with a message 17 deep", typed(MAIL, { text: nested(16) }), "InvalidBody"],
    [
      "with a struct whose name has 65 characters",
      typed({ ["S".repeat(65)]: [input("bool")] }, { it: true }),
      "InvalidBody",
    ],
    ["with a field whose name has 65 characters", field("f".repeat(65), "bool"), "InvalidBody"],
    ["with a type of 97 characters", field("it", "t".repeat(97)), "InvalidBody"],
    ["with a type of lists of lists, five deep", field("it", `bool${"[]".repeat(5)}`, []), "InvalidBody"],
    [
      "with a domain's name of 257 characters",
      typed(MAIL, { text: [] }, { name: "d".repeat(257) }),
      "InvalidBody",
    ],
    [
      "with a domain's version of 257 characters",
      typed(MAIL, { text: [] }, { version: "1".repeat(257) }),
      "InvalidBody",
    ],
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

describe("INV-9 K8 a policy is refused, and nothing changes,", () => {
  const ALWAYS = { kind: "AlwaysTrigger", configuration: {} };
  const group = { quorum: 1, approvers: {} };
  const asking = (...approvalGroups: readonly object[]) => ({
    ...policy(ALWAYS),
    action: { kind: "RequestApproval", approvalGroups },
  });
  const ids = (kind: string) => many(1_001, () => `${kind}-aaaaa-bbbbb-cccccccccccccccc`);
  const filtered = (activityKind: string, filters: object) => ({ ...asking(group), activityKind, filters });
  const tags = many(101, (at) => `t${at}`);
  it.each<readonly [string, object]>([
    ["with a name of 101 characters", { ...policy(ALWAYS), name: "n".repeat(101) }],
    ["with 51 groups", asking(...many(51, () => group))],
    ["with a group whose name has 101 characters", asking({ ...group, name: "n".repeat(101) })],
    ["with a quorum of 101", asking({ ...group, quorum: 101 })],
    ["with 101 approvers", asking({ ...group, approvers: { userId: { in: ids("us").slice(0, 101) } } })],
    ["with 21 user groups", asking({ ...group, approvers: { userGroupId: { in: ids("ug").slice(0, 21) } } })],
    ["on 1001 wallets", filtered("Wallets:Sign", { walletId: { in: ids("wa") } })],
    ["on 1001 policies", filtered("Policies:Modify", { policyId: { in: ids("plc") } })],
    ["on 1001 permissions", filtered("Permissions:Modify", { permissionId: { in: ids("pm") } })],
    [
      "on 1001 permissions that are given",
      filtered("Permissions:Assign", { permissionId: { in: ids("pm") } }),
    ],
    ["on wallets with any of 101 tags", filtered("Wallets:Sign", { walletTags: { hasAny: tags } })],
    ["on wallets with all of 101 tags", filtered("Wallets:Sign", { walletTags: { hasAll: tags } })],
    [
      "on wallets with a tag of 101 characters",
      filtered("Wallets:Sign", { walletTags: { hasAny: ["t".repeat(101)] } }),
    ],
    ["with an address of 257 characters", whitelist(["a".repeat(257)])],
  ])("%s", async (_, body) => {
    expect(await refusal("POST", "/v2/policies", body)).toEqual(refused(400, "InvalidBody"));
  });
});

describe("INV-9 K8 a value longer than its bound is refused, and nothing changes:", () => {
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
