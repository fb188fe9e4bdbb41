import { BaseError, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { asksForFewer } from "./asks-for-fewer.ts";

const refused = (code: number, message: string) =>
  new BaseError("refused", {
    cause: new RpcRequestError({ body: {}, error: { code, message }, url: "http://node.invalid" }),
  });
const asked = (method: string) => [{ method, params: [] }];

describe("whether a node asks for fewer requests", () => {
  it.each([
    [-32005, "rate limit exceeded", "eth_call", true],
    [-32005, "project ID request rate exceeded", "eth_getLogs", true],
    [-32005, "limit exceeded", "eth_blockNumber", true],
    [-32005, "limit exceeded", "eth_getLogs", false],
    [-32005, "query returned more than 10000 results", "eth_getLogs", false],
    [-32602, "query returns too many logs, narrow your filter: 20000", "eth_getLogs", false],
    [429, "Your app has exceeded its compute units per second capacity", "eth_getLogs", true],
    [-32000, "Too Many Requests", "eth_getBlockByNumber", true],
    [-32000, "missing trie node", "eth_call", false],
    [3, "execution reverted: rate limit", "eth_call", false],
    [-32000, "execution reverted: too many requests", "eth_estimateGas", false],
    [-32005, "VM Exception: revert too many requests", "eth_call", false],
    [-32005, "rate limit exceeded", "eth_estimateGas", true],
    [-32005, "limit exceeded", "eth_call", false],
  ])("%i %s, to %s: %s", (code, words, method, expected) => {
    expect(asksForFewer(refused(code, words), asked(method))).toBe(expected);
  });

  it("is not shown by an error without an answer", () => {
    expect(asksForFewer(new Error("socket hang up"), asked("eth_call"))).toBe(false);
  });
});
