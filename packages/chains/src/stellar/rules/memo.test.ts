import { describe, expect, it } from "vitest";
import { parseStellarMemo } from "./memo.ts";

const HASH = "ab".repeat(32);

describe("the memo of a transfer on Stellar", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["0", { kind: "id", id: "0" }],
    ["4711", { kind: "id", id: "4711" }],
    ["18446744073709551615", { kind: "id", id: "18446744073709551615" }],
    ["7a", { kind: "text", text: "7a" }],
    ["Invoice7", { kind: "text", text: "Invoice7" }],
    ["a".repeat(28), { kind: "text", text: "a".repeat(28) }],
    [HASH, { kind: "hash", hash: HASH }],
    [HASH.toUpperCase(), { kind: "hash", hash: HASH }],
    ["1".repeat(64), { kind: "hash", hash: "1".repeat(64) }],
  ])("%j is %j", (text, memo) => {
    expect(parseStellarMemo(text)).toEqual({ ok: true, value: memo });
  });

  it.each([
    "18446744073709551616",
    "007",
    "00",
    "01",
    "99999999999999999999",
    "0".repeat(28),
    "1".repeat(29),
  ])("INV-9 digits that are no id are neither an id nor a text: %j", (text) => {
    const memo = parseStellarMemo(text);
    expect(!memo.ok && [memo.problem.code, memo.problem.message]).toEqual([
      "MemoInvalid",
      expect.stringContaining("a number up to 18446744073709551615, without leading zeros"),
    ]);
  });

  it.each(["a".repeat(29), `${HASH.slice(1)}g`, HASH.slice(1), "with a space", "ä"])(
    "INV-9 %j is none",
    (text) => {
      const memo = parseStellarMemo(text);
      expect(!memo.ok && [memo.problem.code, memo.problem.details]).toEqual([
        "MemoInvalid",
        { field: "memo" },
      ]);
    },
  );
});
