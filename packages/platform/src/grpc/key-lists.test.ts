import {
  KEYS_NAMED_MAX,
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeyPage,
  type KeysAsked,
} from "@conclave/cluster";
import { ok, type Result } from "@conclave/custody";
import { describe, expect, test } from "vitest";
import type { StatusReply } from "./generated/proto.gen.ts";
import { fromKeysReply, fromKeysRequest, toKeysReply, toKeysRequest } from "./held-keys.ts";
import { keysOfOlder, withKeyLists } from "./older-key-lists.ts";
import { CONTROL } from "./proto.ts";
import { RECEIVE_BYTES_MAX } from "./transport.ts";

const pending = (epoch: number) => ({
  from: epoch - 1,
  epoch,
  session: "ab".repeat(32),
  digest: Buffer.alloc(32, 3),
  receipt: Buffer.alloc(64, 9),
});
const holding = (keyId: string, more: Partial<KeyHolding> = {}): KeyHolding => ({
  keyId,
  state: "active",
  epoch: 3,
  publicKey: Buffer.alloc(33, 2),
  isImported: true,
  isExported: false,
  next: [],
  ...more,
});
const absent = (keyId: string): KeyHolding =>
  holding(keyId, { state: "absent", epoch: 0, publicKey: Buffer.alloc(0), isImported: false });
const all: KeysAsked = { kind: "page", which: "all", after: undefined, most: KEYS_PER_PAGE_MAX };

const sent = (asked: KeysAsked, page: KeyPage) => {
  const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } = CONTROL.ListKeys;
  const heard = fromKeysRequest(requestDeserialize(requestSerialize(toKeysRequest(asked))));
  const said = fromKeysReply(asked, responseDeserialize(responseSerialize(toKeysReply(page))));
  return { heard, said };
};

describe("questions about keys, and their answers,", () => {
  const keys = [holding("key-a", { next: [pending(4), pending(5)] }), absent("key-b")];

  test.each<[string, KeysAsked]>([
    ["by name", { kind: "named", keyIds: ["key-a", "key-b"] }],
    ["by the first page", all],
    ["by a later page", { kind: "page", which: "waiting", after: "key-9", most: 8 }],
  ])("comes in as it was, asked %s", (_how, asked) => {
    expect(sent(asked, { keys, next: undefined })).toEqual({ heard: asked, said: { keys, next: undefined } });
  });

  test("is invalid when a named key has no entry: that does not mean that the key is not held", () => {
    const asked: KeysAsked = { kind: "named", keyIds: ["key-a", "key-b"] };
    expect(sent(asked, { keys: keys.slice(0, 1), next: undefined }).said).toBeUndefined();
    expect(sent(asked, { keys: keys.toReversed(), next: undefined }).said).toBeUndefined();
  });

  test("is invalid when it is longer than requested, or its next page is the same one", () => {
    expect(sent({ ...all, most: 1 }, { keys, next: undefined }).said).toBeUndefined();
    expect(sent({ ...all, after: "key-b" }, { keys: [], next: "key-b" }).said).toBeUndefined();
  });

  test("is invalid when a key's state is unknown", () => {
    const reply = { keys: [{ key: { keyId: "key-a", state: "odd" } }] };
    const { responseSerialize, responseDeserialize } = CONTROL.ListKeys;
    expect(fromKeysReply(all, responseDeserialize(responseSerialize(reply)))).toBeUndefined();
  });

  test.each([
    ["too many names", { keyIds: Array.from({ length: KEYS_NAMED_MAX + 1 }, () => "key-a") }],
    ["an invalid name", { keyIds: ["k".repeat(1_000)] }],
    ["an unknown selection", { which: "odd" }],
    ["a cursor that is no key", { which: "all", after: "k".repeat(1_000) }],
  ])("is refused with %s", (_what, request) => {
    const { requestSerialize, requestDeserialize } = CONTROL.ListKeys;
    expect(fromKeysRequest(requestDeserialize(requestSerialize(request)))).toBeUndefined();
  });
});

const STATUS: StatusReply = { index: 1, id: "signer-1", state: "ready", keyCount: 3 };

/** A signer with these keys, in pages of 1000. */
const listing =
  (held: readonly KeyHolding[]) =>
  async (asked: KeysAsked): Promise<Result<KeyPage>> => {
    if (asked.kind === "named") return ok({ keys: [], next: undefined });
    const { which, after } = asked;
    const wanted = held.filter(
      ({ state, next }) => which === "all" || (which === "pending" ? state === "pending" : next.length > 0),
    );
    const from = wanted.findIndex(({ keyId }) => keyId === after) + 1;
    const keys = wanted.slice(from, from + 1_000);
    return ok({ keys, next: from + 1_000 < wanted.length ? keys.at(-1)?.keyId : undefined });
  };
const overTheWire = (reply: Result<StatusReply>) => {
  const { responseSerialize, responseDeserialize } = CONTROL.GetStatus;
  return responseDeserialize(responseSerialize(reply.ok ? reply.value : expect.fail("it fits")));
};

describe("a caller that does not know pages", () => {
  const held = [
    holding("key-a", { next: [pending(4)] }),
    holding("key-b", { state: "pending", epoch: 1 }),
    { ...absent("key-c"), next: [pending(2)] },
  ];

  test("gets the waiting keys in a status, and all keys when it asks for them", async () => {
    const few = overTheWire(await withKeyLists(STATUS, false, listing(held)));
    expect(few.keys.map(({ keyId }) => keyId)).toEqual(["key-b"]);
    expect(few.nextShares.map(({ keyId }) => keyId)).toEqual(["key-a", "key-c"]);
    const whole = overTheWire(await withKeyLists(STATUS, true, listing(held)));
    expect(whole.keys.map(({ keyId }) => keyId)).toEqual(["key-a", "key-b"]);
    expect(whole.nextShares).toMatchObject([
      { keyId: "key-a", epoch: 4, fromEpoch: 3 },
      { keyId: "key-c", epoch: 2, fromEpoch: 1 },
    ]);
  });

  test.each([9_000, 20_000])("gets no part of %i keys as if it were the whole", async (count) => {
    const many = Array.from({ length: count }, (_, number) =>
      holding(`key-${number}-of-a-length-that-is-usual`),
    );
    expect(await withKeyLists(STATUS, true, listing(many))).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable" },
    });
    expect(overTheWire(await withKeyLists(STATUS, false, listing(many))).keys).toEqual([]);
  });

  test("gets as many waiting keys as fit one message", async () => {
    const many = Array.from({ length: 20_000 }, (_, number) =>
      holding(`key-${number}`, { state: "pending" }),
    );
    const listed = await withKeyLists(STATUS, false, listing(many));
    const reply = listed.ok ? listed.value : expect.fail("it fits");
    expect(CONTROL.GetStatus.responseSerialize(reply).length).toBeLessThan(RECEIVE_BYTES_MAX);
    expect(reply.keys).toHaveLength(1_000);
  });
});

describe("a signer that does not know pages", async () => {
  const none = (keyId: string): KeyHolding => ({ ...absent(keyId), publicKey: new Uint8Array(0) });
  const [a, b, c] = [
    holding("key-a", { next: [pending(4)] }),
    holding("key-b", { state: "pending", epoch: 1 }),
    { ...none("key-c"), next: [pending(2)] },
  ];
  const status = overTheWire(await withKeyLists(STATUS, true, listing([c, b, a])));

  test("is asked for its status, which lists its keys", () => {
    expect(keysOfOlder(all, status)).toEqual({ keys: [a, b, c], next: undefined });
    expect(keysOfOlder({ ...all, which: "pending" }, status)?.keys).toEqual([b]);
    expect(keysOfOlder({ ...all, which: "waiting" }, status)?.keys).toEqual([a, c]);
    expect(keysOfOlder({ kind: "named", keyIds: ["key-b", "key-x"] }, status)?.keys).toEqual([
      b,
      none("key-x"),
    ]);
  });

  test("is read in pages nevertheless", () => {
    expect(keysOfOlder({ ...all, most: 2 }, status)).toEqual({ keys: [a, b], next: "key-b" });
    expect(keysOfOlder({ ...all, most: 2, after: "key-b" }, status)).toEqual({ keys: [c], next: undefined });
  });
});
