import { address, type KeyPairSigner, lamports } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type SolanaWorld, startSolanaWorld, testSigner } from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;
const NOBODY = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let world: SolanaWorld;
let alice: KeyPairSigner;

beforeEach(async () => {
  world = await startSolanaWorld();
  alice = await testSigner(1);
});

afterEach(() => world[Symbol.asyncDispose]());

const post = async (body: string): Promise<unknown> =>
  (await fetch(world.url, { method: "POST", body })).json();

it("a node's description of itself", async () => {
  expect(await world.rpc.getHealth().send()).toBe("ok");
  expect(await (await fetch(`${world.url}/health`)).text()).toBe("ok");
  expect((await world.rpc.getVersion().send())["solana-core"]).toBe("3.0.0");
  expect(await world.rpc.getGenesisHash().send()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
  expect(await world.rpc.getFirstAvailableBlock().send()).toBe(0n);
  expect(await world.rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n);
  expect(await world.rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
  expect(await world.rpc.getEpochInfo().send()).toMatchObject({ epoch: 0n, slotsInEpoch: 432_000n });
});

it("accounts are shown in each encoding, and an address that holds nothing is null", async () => {
  await world.fund(alice.address, SOL);
  const [one, none, program] = (
    await world.rpc
      .getMultipleAccounts([alice.address, address(NOBODY), address(TOKEN)], { encoding: "base64" })
      .send()
  ).value;
  expect(one).toMatchObject({
    lamports: SOL,
    owner: "11111111111111111111111111111111",
    data: ["", "base64"],
    executable: false,
    space: 0n,
  });
  expect(none).toBeNull();
  expect(program).toMatchObject({ executable: true });
  for (const encoding of ["base58", "jsonParsed"]) {
    expect(await world.call("getAccountInfo", alice.address, { encoding })).toMatchObject({
      result: { value: { lamports: Number(SOL) } },
    });
  }
});

it("several calls in one request are answered in their order", async () => {
  const call = (id: number, method: string) => ({ jsonrpc: "2.0", id, method });
  expect(await post(JSON.stringify([call(1, "getHealth"), call(2, "getNothing"), 3]))).toMatchObject([
    { id: 1, result: "ok" },
    { id: 2, error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
  ]);
});

describe("a request is refused", () => {
  it.each<[string, string, number]>([
    ["that is no JSON", "hello", -32_700],
    ["that is no call", '{"id":1}', -32_600],
    ["of another version", '{"jsonrpc":"1.0","id":1,"method":"getHealth"}', -32_600],
    ["with parameters by name", '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}', -32_600],
    ["that is an empty list", "[]", -32_600],
  ])("%s", async (_, body, code) => {
    expect(await post(body)).toMatchObject({ error: { code } });
  });

  it.each<[string, readonly unknown[], number, string]>([
    ["toString", [], -32_601, "Method not found"],
    ["getBalance", ["nonsense"], -32_602, "Invalid"],
    ["getBalance", [NOBODY, { commitment: "sure" }], -32_602, "commitment"],
    ["getBalance", [NOBODY, {}, 1], -32_602, "at most 2"],
    ["getBalance", [NOBODY, { minContextSlot: 1_000 }], -32_016, "Minimum context slot"],
    ["getMultipleAccounts", [Array.from({ length: 101 }, () => NOBODY)], -32_602, "addresses"],
    ["getTransaction", ["1".repeat(20)], -32_602, "WrongSize"],
    ["getTransaction", ["1".repeat(64), { commitment: "processed" }], -32_602, "below `confirmed`"],
    ["getSignatureStatuses", [Array.from({ length: 257 }, () => "1".repeat(64))], -32_602, "max 256"],
    ["getSignaturesForAddress", [NOBODY, { limit: 1_001 }], -32_602, "limit"],
    ["getTokenAccountsByOwner", [NOBODY, { mint: NOBODY }], -32_602, "could not find mint"],
    ["getTokenAccountsByOwner", [NOBODY, { programId: NOBODY }], -32_602, "unrecognized Token program"],
    ["getTokenAccountBalance", [NOBODY], -32_602, "could not find account"],
    ["getTokenSupply", [NOBODY], -32_602, "not a Token mint"],
    ["getMinimumBalanceForRentExemption", [-1], -32_602, "bytes"],
    ["getFeeForMessage", ["AAAA"], -32_602, "message"],
    ["getRecentPrioritizationFees", [Array.from({ length: 129 }, () => NOBODY)], -32_602, "max 128"],
    ["requestAirdrop", [NOBODY, 0], -32_602, "lamports"],
    ["requestAirdrop", [NOBODY, 1], -32_002, "insufficient funds for rent"],
    ["sendTransaction", ["0OIl"], -32_602, "invalid base58"],
    ["simulateTransaction", ["AQ==", { encoding: "base64" }], -32_602, "failed to deserialize"],
    [
      "simulateTransaction",
      ["AQ==", { encoding: "base64", sigVerify: true, replaceRecentBlockhash: true }],
      -32_602,
      "sigVerify may not be used",
    ],
  ])("%s %j", async (method, params, code, words) => {
    expect(await world.call(method, ...params)).toMatchObject({
      error: { code, message: expect.stringContaining(words) },
    });
  });

  it("that is too long", async () => {
    const answer = await fetch(world.url, { method: "POST", body: "a".repeat(60_000) });
    expect(answer.status).toBe(413);
  });

  it("by another verb", async () => {
    expect((await fetch(world.url)).status).toBe(405);
  });
});

it("the SDK hears of slots, final blocks and an account that changes", async () => {
  const heard: string[] = [];
  const end = new AbortController();
  const listen = async (name: string, from: Promise<AsyncIterable<unknown>>): Promise<void> => {
    const notices = await from;
    heard.push(`${name} listens`);
    for await (const _ of notices) heard.push(name);
  };
  const { signal: abortSignal } = end;
  const { subscriptions } = world;
  const all = Promise.all([
    listen("slot", subscriptions.slotNotifications().subscribe({ abortSignal })),
    listen("root", subscriptions.rootNotifications().subscribe({ abortSignal })),
    listen(
      "account",
      subscriptions
        .accountNotifications(alice.address, { commitment: "processed" })
        .subscribe({ abortSignal }),
    ),
  ]);
  await expect.poll(() => heard.toSorted()).toEqual(["account listens", "root listens", "slot listens"]);
  await world.rpc.requestAirdrop(alice.address, lamports(SOL)).send();
  await world.mine(33);
  await expect.poll(() => heard.filter((name) => name === "slot")).toHaveLength(33);
  await expect.poll(() => heard.filter((name) => name === "root")).toHaveLength(1);
  await expect.poll(() => heard.filter((name) => name === "account")).toHaveLength(1);
  end.abort();
  await all;
});

describe("over a bare WebSocket", () => {
  /** Sends one message. @returns the first answer */
  const ask = (message: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(world.url.replace("http:", "ws:"));
      socket.on("open", () => socket.send(message));
      socket.on("message", (data) => {
        resolve(JSON.parse(data.toString()));
        socket.terminate();
      });
      socket.on("close", (code) => reject(new Error(`closed: ${code}`)));
      socket.on("error", reject);
    });
  const call = (method: string, ...params: unknown[]): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

  it.each<[string, string, object]>([
    ["what is no JSON", "hello", { error: { code: -32_700 } }],
    ["what is no call", "{}", { error: { code: -32_600 } }],
    ["an unknown subscription", call("voteSubscribe"), { id: 1, error: { code: -32_601 } }],
    ["no signature", call("signatureSubscribe", "short"), { error: { code: -32_602 } }],
    ["an unknown number", call("slotUnsubscribe", 7), { error: { code: -32_602 } }],
    ["a subscription", call("slotSubscribe"), { id: 1, result: 1 }],
  ])("%s is answered", async (_, message, answer) => {
    expect(await ask(message)).toMatchObject(answer);
  });

  it("a message that is too long ends the connection", async () => {
    await expect(ask("a".repeat(20_000))).rejects.toThrow("closed: 1009");
  });
});
