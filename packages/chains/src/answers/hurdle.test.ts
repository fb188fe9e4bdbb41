import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ok } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { connectStellar } from "../stellar/node/rest.ts";
import { firstThatFits, hurdleIn, ofBlock, unanswered } from "./hurdle.ts";
import { nodeAway } from "./node-away.ts";

const LARGE = nodeAway("N", "it says 413", "too large");
const SLOW = nodeAway("N", "it says 504", "too slow");
const AWAY = nodeAway("N", "it says 500");

describe("K5 a hurdle", () => {
  it("is the size of an answer, or the time that it takes, and no other failure", () => {
    expect([LARGE, SLOW, AWAY, ok(1)].map(hurdleIn)).toEqual(["too large", "too slow", undefined, undefined]);
    expect(unanswered(new DOMException("timeout", "TimeoutError")).hurdle).toBe("too slow");
    expect(unanswered(new TypeError("fetch failed")).hurdle).toBeUndefined();
  });

  it("is met by a call that nobody answers in time", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const rest = connectStellar("N", `http://127.0.0.1:${port}`, 1);
    expect(await rest.get("/")).toMatchObject({ kind: "away", hurdle: "too slow" });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [[LARGE, ok(1)], ok(1)],
    [[SLOW, ok(1)], ok(1)],
    [[LARGE, SLOW], SLOW],
    [[SLOW, LARGE], LARGE],
    [[AWAY, ok(1)], AWAY],
    [[ok(0), ok(1)], ok(0)],
  ])("goes on to the next way to ask: %j", async ([first, second], reported) => {
    expect(
      await firstThatFits(
        async () => first ?? AWAY,
        async () => second ?? AWAY,
      ),
    ).toEqual(reported);
  });

  it("makes a block too large, and never one that is too slow", () => {
    expect([LARGE, SLOW, AWAY].map((reported) => ofBlock("N", 7n, reported))).toMatchObject([
      { problem: { code: "BlockTooLarge" } },
      { problem: { code: "ServiceUnavailable" } },
      { problem: { code: "ServiceUnavailable" } },
    ]);
  });
});
