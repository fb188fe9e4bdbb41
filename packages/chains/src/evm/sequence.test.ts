import { describe, expect, it } from "vitest";
import { nonceOf } from "./sequence.ts";

const count = { mined: 3n, pending: 5n };
const earlier = new Uint8Array();

describe("the account nonce of a transaction", () => {
  it.each([
    ["the next one of the chain", { kind: "next", lowest: 0n }, undefined, 5n],
    ["the next one of our own records", { kind: "next", lowest: 7n }, undefined, 7n],
    ["the caller's, when that is the next one", { kind: "next", lowest: 7n }, 7n, 7n],
    ["what it had", { kind: "kept", sequence: 6n }, undefined, 6n],
    ["what it had, or what the chain has moved on to", { kind: "kept", sequence: 4n }, 4n, 5n],
    ["that of what it replaces", { kind: "replacing", sequence: 3n, earlier }, undefined, 3n],
  ] as const)("is %s", (_, place, wanted, nonce) => {
    expect(nonceOf(place, wanted, count)).toEqual({ ok: true, value: nonce });
  });

  it.each([
    ["NonceUsed", { kind: "next", lowest: 7n }, 6n, 7],
    ["NonceUsed", { kind: "next", lowest: 0n }, 0n, 5],
    ["NonceGap", { kind: "next", lowest: 7n }, 8n, 7],
    ["NonceUsed", { kind: "replacing", sequence: 2n, earlier }, undefined, 5],
  ] as const)("is refused with %s for case %#", (code, place, wanted, next) => {
    const judged = nonceOf(place, wanted, count);
    expect(judged.ok ? judged : [judged.problem.code, judged.problem.details["next"]]).toEqual([code, next]);
  });
});
