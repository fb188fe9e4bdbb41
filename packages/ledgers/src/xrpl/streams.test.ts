import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Payment } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB, CAROL] = [testWallet(1), testWallet(2), testWallet(3)];

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 100_000_000);
  await world.fund(CAROL, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const pay = async (from = ALICE, to = BOB): Promise<string> => {
  const payment: Payment = {
    TransactionType: "Payment",
    Account: from.address,
    Destination: to.address,
    Amount: "1000000",
  };
  const { tx_blob, hash } = await world.signed(payment, from);
  expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
  return hash;
};

/** Collects the client's transaction notifications, in order. */
const heard = (): string[] => {
  const hashes: string[] = [];
  world.client.on("transaction", ({ hash }) => hashes.push(`${hash}`));
  return hashes;
};

/** Waits for an answer: every earlier message has arrived before it. */
const settled = () => world.client.request({ command: "ping" });

describe("the client hears", () => {
  it("of every ledger that is closed", async () => {
    const closed: number[] = [];
    world.client.on("ledgerClosed", ({ ledger_index, txn_count, validated_ledgers }) => {
      closed.push(ledger_index, txn_count);
      expect(validated_ledgers).toBe(`1-${ledger_index}`);
    });
    const { result } = await world.client.request({ command: "subscribe", streams: ["ledger"] });
    expect(result).toMatchObject({ ledger_index: 4, fee_base: 10, validated_ledgers: "1-4" });
    await pay();
    await world.mine(2);
    await settled();
    expect(closed).toEqual([5, 1, 6, 0]);
  });

  it("of every transaction in a ledger, whole", async () => {
    await world.client.request({ command: "subscribe", streams: ["transactions"] });
    const messages: unknown[] = [];
    world.client.on("transaction", (message) => messages.push(message));
    const hash = await pay();
    await settled();
    expect(messages).toEqual([]);
    await world.mine();
    await settled();
    expect(messages).toMatchObject([
      {
        hash,
        engine_result: "tesSUCCESS",
        ledger_index: 5,
        meta: { TransactionResult: "tesSUCCESS", delivered_amount: "1000000" },
        tx_json: { Account: ALICE.address, DeliverMax: "1000000" },
        validated: true,
      },
    ]);
  });

  it("of the accounts that it asked for, whichever side they are on, and of no others", async () => {
    const hashes = heard();
    await world.client.request({ command: "subscribe", accounts: [BOB.address] });
    const received = await pay(ALICE, BOB);
    const sent = await pay(BOB, CAROL);
    await pay(ALICE, CAROL);
    await world.mine();
    await settled();
    expect(hashes).toEqual([received, sent]);
  });

  it("no more of what it unsubscribed from", async () => {
    const hashes = heard();
    await world.client.request({ command: "subscribe", accounts: [BOB.address, CAROL.address] });
    await world.client.request({ command: "unsubscribe", accounts: [BOB.address] });
    await pay(ALICE, BOB);
    const hash = await pay(ALICE, CAROL);
    await world.mine();
    await settled();
    expect(hashes).toEqual([hash]);
  });
});

describe("a subscription is refused", () => {
  it.each<[string, object, string]>([
    ["to a stream that there is not", { streams: ["ledgers"] }, "malformedStream"],
    ["to a stream that this ledger has not", { streams: ["validations"] }, "notSupported"],
    ["to order books", { books: [] }, "notSupported"],
    ["to an account that is none", { accounts: ["rBad"] }, "actMalformed"],
    ["to no list", { streams: "ledger" }, "invalidParams"],
    ["to too many accounts", { accounts: Array.from({ length: 1_001 }, () => BOB.address) }, "invalidParams"],
  ])("%s", async (_, params, error) => {
    const answer = world.client.connection.request({ command: "subscribe", ...params });
    await expect(answer).rejects.toMatchObject({ data: { error, status: "error", type: "response" } });
  });
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

  it.each<[string, string, object]>([
    ["what is no JSON", "hello", { type: "error", error: "jsonInvalid", value: "hello" }],
    ["a request without command", '{"id":1}', { id: 1, error: "missingCommand", status: "error" }],
    [
      "another version",
      '{"id":"a","command":"ping","api_version":9}',
      { id: "a", error: "invalid_API_version" },
    ],
    [
      "an unknown command",
      '{"id":2,"command":"sign"}',
      { id: 2, error: "unknownCmd", request: { command: "sign" } },
    ],
    ["a ping", '{"id":{"a":[1]},"command":"ping"}', { id: { a: [1] }, status: "success", type: "response" }],
  ])("%s is answered", async (_, message, answer) => {
    expect(await ask(message)).toMatchObject(answer);
  });

  it("a deeply nested request is answered without its deepest members", async () => {
    const deep = `${"[".repeat(60_000)}1${"]".repeat(60_000)}`;
    expect(await ask(`{"id":1,"command":"sign","deep":${deep}}`)).toMatchObject({
      id: 1,
      error: "unknownCmd",
    });
    expect(await ask(`{"id":${deep},"command":"ping"}`)).toMatchObject({ status: "success" });
  });

  it("a message that is too long ends the connection", async () => {
    await expect(ask(`{"command":"ping","id":"${"a".repeat(140_000)}"}`)).rejects.toThrow("closed: 1009");
  });
});
