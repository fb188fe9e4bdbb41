import { describe, expect, it } from "vitest";
import { nonceOf } from "./place.ts";

const count = { mined: 3, pending: 5 };
const earlier = new Uint8Array();

describe("the account nonce of a transaction", () => {
  it.each([
    ["the next one of the chain", { kind: "next", lowest: 0 }, undefined, 5],
    ["the next one of our own records", { kind: "next", lowest: 7 }, undefined, 7],
    ["the caller's, when that is the next one", { kind: "next", lowest: 7 }, 7, 7],
    ["what it had", { kind: "kept", nonce: 6 }, undefined, 6],
    ["what it had, or what the chain has moved on to", { kind: "kept", nonce: 4 }, 4, 5],
    ["that of what it replaces", { kind: "replacing", nonce: 3, earlier }, undefined, 3],
  ] as const)("is %s", (_, place, wanted, nonce) => {
    expect(nonceOf(place, wanted, count)).toEqual({ ok: true, value: nonce });
  });

  it.each([
    ["NonceUsed", { kind: "next", lowest: 7 }, 6, 7],
    ["NonceUsed", { kind: "next", lowest: 0 }, 0, 5],
    ["NonceGap", { kind: "next", lowest: 7 }, 8, 8 - 1],
    ["NonceUsed", { kind: "replacing", nonce: 2, earlier }, undefined, 5],
  ] as const)("is refused with %s for %j, %s", (code, place, wanted, next) => {
    const judged = nonceOf(place, wanted, count);
    expect(judged.ok ? judged : [judged.problem.code, judged.problem.details["next"]]).toEqual([code, next]);
  });
});
